import { type DomDocument, type DomElement, type DomNode, parseHTML } from 'linkedom';

import { parsedUrl } from '../util/parsed-url.js';
import { BLOCKS } from './markup/kept-html.js';

export type { DomDocument, DomElement, DomNode } from 'linkedom';

const ELEMENT = 1;
const TEXT = 3;

export const isElement = (node: DomNode): node is DomElement => node.nodeType === ELEMENT;

export const isText = (node: DomNode): boolean => node.nodeType === TEXT;

/** Returns the value of an attribute, "" if it is missing. */
export const attribute = (element: DomElement, name: string): string =>
  // linkedom's getAttribute rebuilds a class from its parts on each call.
  element.getAttributeNode(name)?.value ?? '';

/** Returns the text of an element on one line. */
export const lineOf = (element: DomElement): string => squeezed(startOf(element, Infinity));

/**
 * Returns the text of an element and stops after `most` characters. Elements nest, so reading each one in full would
 * read the whole page once per element.
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

/** The scanner drops the white space between blocks, so spaces are added here. */
const spaced = ({ localName }: DomElement, text: string): string =>
  BLOCKS.has(localName) || localName === 'br' ? ` ${text} ` : text;

/**
 * Folds runs of white space into single spaces. Skips single spaces, since a text of several megabytes has a million of
 * them.
 */
export const folded = (text: string): string => text.replace(/\s{2,}|[^\S ]/gu, ' ');

/** Folds and trims white space. */
export const squeezed = (text: string): string => folded(text).trim();

/** Returns the class and id of an element. Sites use both to name its purpose. */
export const labelOf = (element: DomElement): string =>
  `${attribute(element, 'class')} ${attribute(element, 'id')}`.trim();

/**
 * Calls `visit` for each element below `root` in document order; skips the descendants of an element if `visit` returns
 * false.
 */
export function eachElement(root: DomElement, visit: (element: DomElement) => boolean): void {
  for (let node = root.firstChild; node; node = node.nextSibling) {
    if (isElement(node) && visit(node)) {
      eachElement(node, visit);
    }
  }
}

/**
 * Returns a check whether an element contains the page's first headline or `<main>`. The label of such an element
 * describes only a part of its content. The search for both runs on the first call.
 */
export function aroundMain(body: DomElement): (element: DomElement) => boolean {
  let found: Set<DomElement> | undefined;
  return (element) => {
    found ??= new Set(['h1', 'main'].flatMap((name) => pathTo(name, body)));
    return found.has(element);
  };
}

/** Returns the first element of this name and its ancestors. */
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

/** Longer addresses are embedded data. */
const LONGEST = 4096;

/** Returns the absolute form of an address in a page, or "" if it is not an http or https address. */
export function webAddress(href: string, base: string): string {
  const trimmed = href.trim();
  const url = trimmed === '' ? undefined : parsedUrl(trimmed, base);
  if (url === undefined) {
    return '';
  }
  const isOfWeb = url.protocol === 'https:' || url.protocol === 'http:';
  return isOfWeb && url.href.length <= LONGEST ? url.href : '';
}

/** Returns the base that a page declares for its addresses, or `url`. */
export const baseOf = (base: string, url: string): string => webAddress(base, url) || url;

/** Parses the output of `scanMarkup` into a tree. */
export const parseDocument = (html: string): DomDocument => parseHTML(html).document;
