import { type DomDocument, type DomElement, type DomNode, parseHTML } from 'linkedom';

import { parsedUrl } from '../util/parsed-url.js';
import { BLOCKS } from './markup/kept-html.js';

export type { DomDocument, DomElement, DomNode } from 'linkedom';

const ELEMENT = 1;
const TEXT = 3;

export const isElement = (node: DomNode): node is DomElement => node.nodeType === ELEMENT;

export const isText = (node: DomNode): boolean => node.nodeType === TEXT;

/** The attribute's value, "" when it has none. */
export const attribute = (element: DomElement, name: string): string =>
  // linkedom's getAttribute puts a class together of its parts each time.
  element.getAttributeNode(name)?.value ?? '';

/** The text of an element on one line. */
export const lineOf = (element: DomElement): string => squeezed(startOf(element, Infinity));

/**
 * The text of an element, cut once it has so many characters: elements stand in each other, and to read each to its end
 * takes the whole page once for each.
 */
export function startOf(element: DomElement, most: number): string {
  let text = '';
  for (let node = element.firstChild; node && text.length < most; node = node.nextSibling) {
    text += isElement(node)
      ? spaced(node, startOf(node, most))
      : isText(node)
        ? (node.textContent ?? '').slice(0, most)
        : '';
  }
  return text;
}

/** The scanner leaves no white space between blocks. */
const spaced = ({ localName }: DomElement, text: string): string =>
  BLOCKS.has(localName) || localName === 'br' ? ` ${text} ` : text;

/** White space folded. A space that is alone stays as it is: a text of megabytes has a million of them. */
export const folded = (text: string): string => text.replace(/\s{2,}|[^\S ]/gu, ' ');

/** White space folded and trimmed. */
export const squeezed = (text: string): string => folded(text).trim();

/** Class and id of an element, by which sites say what it is. */
export const labelOf = (element: DomElement): string =>
  `${attribute(element, 'class')} ${attribute(element, 'id')}`.trim();

/** Calls `visit` for each element below `root`, in order; where it answers false, not for those below. */
export function eachElement(root: DomElement, visit: (element: DomElement) => boolean): void {
  for (let node = root.firstChild; node; node = node.nextSibling) {
    if (isElement(node) && visit(node)) {
      eachElement(node, visit);
    }
  }
}

/**
 * Tells whether an element stands around the first headline of a page or around its `<main>`: what it is named after is
 * in it, and not all there is. Looks for them when it is first asked.
 */
export function aroundMain(body: DomElement): (element: DomElement) => boolean {
  let found: Set<DomElement> | undefined;
  return (element) => {
    found ??= new Set(['h1', 'main'].flatMap((name) => pathTo(name, body)));
    return found.has(element);
  };
}

/** The first element of this name, and those around it. */
function pathTo(name: string, root: DomElement): DomElement[] {
  for (let node = root.firstChild; node; node = node.nextSibling) {
    if (isElement(node)) {
      const path = node.localName === name ? [node] : pathTo(name, node);
      if (path.length > 0) {
        return [...path, root];
      }
    }
  }
  return [];
}

/** Longer ones are data in disguise. */
const LONGEST = 4096;

/** The absolute form of an address in a page, "" for what is no address of the web. */
export function webAddress(href: string, base: string): string {
  const trimmed = href.trim();
  const url = trimmed === '' ? undefined : parsedUrl(trimmed, base);
  if (url === undefined) {
    return '';
  }
  const isOfWeb = url.protocol === 'https:' || url.protocol === 'http:';
  return isOfWeb && url.href.length <= LONGEST ? url.href : '';
}

/** A page's own base for its addresses. */
export const baseOf = (base: string, url: string): string => webAddress(base, url) || url;

/** The tree of markup that `scanMarkup` made. */
export const parseDocument = (html: string): DomDocument => parseHTML(html).document;
