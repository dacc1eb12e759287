import { type DomDocument, type DomElement, type DomNode, parseHTML } from 'linkedom';

import { parsedUrl } from '../util/parsed-url.js';
import { BLOCKS } from './markup/kept-html.js';

export type { DomDocument, DomElement, DomNode } from 'linkedom';

const ELEMENT = 1;
const TEXT = 3;

export const isElement = (node: DomNode): node is DomElement => node.nodeType === ELEMENT;

export const isText = (node: DomNode): boolean => node.nodeType === TEXT;

/** Returns the value of an element's attribute, or an empty text if the attribute is missing. */
export const attribute = (element: DomElement, name: string): string =>
  // Avoids linkedom's `getAttribute`, which builds the value of a class attribute again on each call.
  element.getAttributeNode(name)?.value ?? '';

/** Returns the text of an element as one line. */
export const lineOf = (element: DomElement): string => squeezed(startOf(element, Infinity));

/**
 * The maximum number of nodes without text that are visited at the start of an element. Hostile pages contain thousands
 * of empty elements.
 */
const MOST_EMPTY = 1_000;

/**
 * Returns about the first `most` characters of an element's text. Without this limit, reading the
 * text of every element in a deep tree would take quadratic time.
 */
export const startOf = (element: DomElement, most: number): string =>
  readStart(element, most, { nodes: MOST_EMPTY + 2 * most });

function readStart(element: DomElement, most: number, left: { nodes: number }): string {
  let text = '';
  for (let node = element.firstChild; node && text.length < most; node = node.nextSibling) {
    left.nodes -= 1;
    if (left.nodes < 0) {
      break;
    }
    text += isElement(node)
      ? spaced(node, readStart(node, most, left))
      : isText(node)
        ? (node.textContent ?? '').slice(0, most)
        : '';
  }
  return text;
}

/**
 * Adds spaces around the text of a block element. Without these spaces, the words of two neighbouring blocks would be
 * joined, because the markup scanner has removed the white space between blocks.
 */
const spaced = ({ localName }: DomElement, text: string): string =>
  BLOCKS.has(localName) || localName === 'br' ? ` ${text} ` : text;

/**
 * Replaces each run of white space with a single space. The pattern does not match single spaces,
 * because replacing millions of them would be slow.
 */
export const folded = (text: string): string => text.replace(/\s{2,}|[^\S ]/gu, ' ');

/** Trims a text and replaces each run of white space with a single space. */
export const squeezed = (text: string): string => folded(text).trim();

/** Returns the class and the id of an element in one text. Sites use both to describe the purpose of an element. */
export const labelOf = (element: DomElement): string =>
  `${attribute(element, 'class')} ${attribute(element, 'id')}`.trim();

/**
 * Calls `visit` for every element below `root` in document order. If `visit` returns false for an element, its
 * descendants are skipped.
 */
export function eachElement(root: DomElement, visit: (element: DomElement) => boolean): void {
  for (let node = root.firstChild; node; node = node.nextSibling) {
    if (isElement(node) && visit(node)) {
      eachElement(node, visit);
    }
  }
}

/** Returns true if an element is inside one of the boxes. */
export function isWithin(element: DomElement, boxes: ReadonlySet<DomElement>): boolean {
  let at = element.parentElement;
  while (at !== null && !boxes.has(at)) {
    at = at.parentElement;
  }
  return at !== null;
}

/** The maximum number of nodes in which `firstBelow` searches. */
const MOST_SEARCHED = 1_000;

/**
 * Returns the first elements below `root` for which `isOne` returns true, at most `most` of them. Searches only the
 * first nodes, so that a search beside or around each element of a page takes linear time.
 */
export function firstBelow(
  root: DomElement,
  most: number,
  isOne: (element: DomElement) => boolean,
  isClosed: (element: DomElement) => boolean = () => false,
): DomElement[] {
  const found: DomElement[] = [];
  let left = MOST_SEARCHED;
  const search = (parent: DomElement): void => {
    for (
      let node = parent.firstChild;
      node && left > 0 && found.length < most;
      node = node.nextSibling
    ) {
      left -= 1;
      if (isElement(node)) {
        if (isOne(node)) {
          found.push(node);
        }
        if (!isClosed(node)) {
          search(node);
        }
      }
    }
  };
  search(root);
  return found;
}

/**
 * Returns a function that checks if an element is or contains the first `<h1>` or the first
 * `<main>` of the page. The function searches for both elements only once, on its first call.
 */
export function aroundMain(body: DomElement): (element: DomElement) => boolean {
  let found: Set<DomElement> | undefined;
  return (element) => {
    found ??= new Set(['h1', 'main'].flatMap((name) => pathTo(name, body)));
    return found.has(element);
  };
}

/**
 * Returns the first element below `root` that has the given tag name, followed by its ancestors up
 * to and including `root`.
 */
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

/** The maximum length of a web address. Longer addresses contain embedded data, such as a picture. */
const LONGEST = 4096;

/**
 * Returns the absolute URL of an address in a page. Returns an empty text if the absolute URL is not an http or https
 * URL.
 */
export function webAddress(href: string, base: string): string {
  const trimmed = href.trim();
  const url = trimmed === '' ? undefined : parsedUrl(trimmed, base);
  if (url === undefined) {
    return '';
  }
  const isOfWeb = url.protocol === 'https:' || url.protocol === 'http:';
  return isOfWeb && url.href.length <= LONGEST ? url.href : '';
}

/**
 * Returns the base URL that a page declares for its relative addresses. Returns `url` if the page declares no base URL.
 */
export const baseOf = (base: string, url: string): string => webAddress(base, url) || url;

/**
 * Parses HTML into a tree of elements. Pass only HTML from `scanMarkup`, which limits the size and
 * the depth of the HTML.
 */
export const parseDocument = (html: string): DomDocument => parseHTML(html).document;
