import { type DomDocument, type DomElement, type DomNode, parseHTML } from 'linkedom';

import { parsedUrl } from '../util/parsed-url.js';
import { BLOCKS } from './markup/kept-html.js';

export type { DomDocument, DomElement, DomNode } from 'linkedom';

const ELEMENT = 1;
const TEXT = 3;

export const isElement = (node: DomNode): node is DomElement => node.nodeType === ELEMENT;

export const isText = (node: DomNode): boolean => node.nodeType === TEXT;

/** Returns the value of an attribute. Returns an empty text if the attribute is missing. */
export const attribute = (element: DomElement, name: string): string =>
  // Avoids `getAttribute` of linkedom, which rebuilds a class attribute from its parts on each call.
  element.getAttributeNode(name)?.value ?? '';

/** Returns the text of an element on one line. */
export const lineOf = (element: DomElement): string => squeezed(startOf(element, Infinity));

/**
 * Returns the text of an element, but stops after `most` characters. Because elements nest, the full texts of all
 * elements would repeat the whole page at each level.
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

/**
 * Adds spaces around the text of a block element, because the markup scanner removes the white space between blocks.
 */
const spaced = ({ localName }: DomElement, text: string): string =>
  BLOCKS.has(localName) || localName === 'br' ? ` ${text} ` : text;

/**
 * Replaces runs of white space with single spaces. The pattern does not match single spaces, because a text of several
 * megabytes contains a million of them.
 */
export const folded = (text: string): string => text.replace(/\s{2,}|[^\S ]/gu, ' ');

/** Replaces runs of white space with single spaces, and trims the text. */
export const squeezed = (text: string): string => folded(text).trim();

/** Returns the class and id of an element, because sites use both to name the purpose of an element. */
export const labelOf = (element: DomElement): string =>
  `${attribute(element, 'class')} ${attribute(element, 'id')}`.trim();

/**
 * Calls `visit` for each element below `root` in document order. If `visit` returns false, skips the descendants of the
 * element.
 */
export function eachElement(root: DomElement, visit: (element: DomElement) => boolean): void {
  for (let node = root.firstChild; node; node = node.nextSibling) {
    if (isElement(node) && visit(node)) {
      eachElement(node, visit);
    }
  }
}

/**
 * Returns a function that checks if an element contains the page's first headline or `<main>`. The label of such an
 * element describes only a part of its content. The first call searches for the headline and `<main>`.
 */
export function aroundMain(body: DomElement): (element: DomElement) => boolean {
  let found: Set<DomElement> | undefined;
  return (element) => {
    found ??= new Set(['h1', 'main'].flatMap((name) => pathTo(name, body)));
    return found.has(element);
  };
}

/** Returns the first descendant with a tag name, and its ancestors up to `root`. */
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

/** The maximum length of a web address. Longer addresses contain embedded data. */
const LONGEST = 4096;

/** Returns the absolute form of an address in a page. Returns an empty text if it is not an http or https address. */
export function webAddress(href: string, base: string): string {
  const trimmed = href.trim();
  const url = trimmed === '' ? undefined : parsedUrl(trimmed, base);
  if (url === undefined) {
    return '';
  }
  const isOfWeb = url.protocol === 'https:' || url.protocol === 'http:';
  return isOfWeb && url.href.length <= LONGEST ? url.href : '';
}

/** Returns the base that a page declares for relative addresses. If the page declares no base, returns `url`. */
export const baseOf = (base: string, url: string): string => webAddress(base, url) || url;

/** Parses the output of `scanMarkup` into a tree. */
export const parseDocument = (html: string): DomDocument => parseHTML(html).document;
