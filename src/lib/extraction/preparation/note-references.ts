import {
  attribute,
  type DomElement,
  type DomNode,
  isElement,
  isText,
  lineOf,
  startOf,
} from '../dom.js';
import { BLOCKS } from '../markup/kept-html.js';

/** A raised number in a text. */
export interface Reference {
  readonly element: DomElement;
  readonly number: number;
  /** True if the number begins a line, as the label of a note does. */
  readonly isLabel: boolean;
  /** True if the number can be something else than the number of a note, such as an exponent. */
  readonly isDoubtful: boolean;
  /** The id to which the number links. Empty if it has no link, or one that only starts a script. */
  readonly target: string;
}

/** Matches the number of a note in the text. */
const NUMBER = /^[[(]?(\d{1,3})[\])]?$/u;
const LONGEST_NUMBER = 8;
const CONTEXT = 5;
/** Limits the nodes that are visited beside a number. */
const MOST_BESIDE = 30;

const LETTER = String.raw`[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]`;
/** Matches a text before an exponent: a variable, a unit, a function, or a digit. */
const BASE = new RegExp(
  String.raw`\d$|(?:^|\P{L})(?:${LETTER}|[kcmdnµμ]m|ft|yd|mi|in|km|mc|CO|км|см|мм|sin|cos|tan|log|exp)$`,
  'u',
);
const YEAR = /(?:^|\D)(?:1[5-9]|20)\d\d$/u;
/** Matches a text after which a number can be an exponent or the number of a note. */
const DOUBTFUL = new RegExp(String.raw`[\s)]$|(?:^|\P{L})${LETTER}{2}$`, 'u');
/** Matches the rest of an isotope or of a verse after its number. */
const CONTINUED = new RegExp(String.raw`^(?:${LETTER}|\d)`, 'u');
const OPENING = /[\s(["“„«‘—–-]$/u;
const FRACTION = /^\s?[/⁄]/u;

/**
 * Returns the reference that an element is. Returns undefined for exponents, fractions and isotopes, for numbers that
 * link to other pages, and for the numbers of menus.
 */
export function referenceOf(element: DomElement): Reference | undefined {
  const number = numberIn(element);
  const target = number === undefined ? undefined : targetOf(element);
  if (number === undefined || target === undefined || isElsewhere(element)) {
    return undefined;
  }
  return referenceIn({ element, number, target });
}

function referenceIn(
  raised: Pick<Reference, 'element' | 'number' | 'target'>,
): Reference | undefined {
  const { element, target } = raised;
  const before = textBefore(element);
  const isLabel = before.trim() === '';
  if (target !== '') {
    return { ...raised, isLabel, isDoubtful: false };
  }
  const isDoubtful = YEAR.test(before) || DOUBTFUL.test(before);
  return !isLabel && isElse(before, textAfter(element))
    ? undefined
    : { ...raised, isLabel, isDoubtful };
}

/** Parts of a page whose numbers do not refer to notes, such as counters. A number inside a number counts once. */
const OTHERS: ReadonlySet<string> = new Set(['sup', 'nav', 'button']);
const LINKS: ReadonlySet<string> = new Set(['a']);

const isElsewhere = ({ parentElement }: DomElement): boolean =>
  around(parentElement, OTHERS) !== undefined;

/** Returns the innermost of an element and the elements around it that has one of the names. */
function around(element: DomElement | null, names: ReadonlySet<string>): DomElement | undefined {
  let at = element;
  while (at !== null && !names.has(at.localName)) {
    at = at.parentElement;
  }
  return at ?? undefined;
}

function numberIn(element: DomElement): number | undefined {
  const [, digits] = NUMBER.exec(startOf(element, LONGEST_NUMBER).trim()) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** Returns true if a number is an exponent, a part of a fraction or an isotope, or the number of a verse. */
const isElse = (before: string, after: string): boolean =>
  (BASE.test(before) && !YEAR.test(before)) ||
  FRACTION.test(after) ||
  (OPENING.test(before) && CONTINUED.test(after));

/** Returns the last characters of the line before an element. Raised numbers do not count, such as those of notes. */
function textBefore(element: DomElement): string {
  let text = '';
  const left = { nodes: MOST_BESIDE };
  for (
    let at: DomElement | null = element;
    at && !BLOCKS.has(at.localName);
    at = at.parentElement
  ) {
    for (
      let node = at.previousSibling;
      node && text.length < CONTEXT;
      node = node.previousSibling
    ) {
      left.nodes -= 1;
      if (left.nodes < 0 || isEdge(node)) {
        return text;
      }
      text = endOf(node, left) + text;
    }
  }
  return text;
}

/** Returns the last characters of a node that is not raised. */
function endOf(node: DomNode, left: { nodes: number }): string {
  if (!isElement(node)) {
    return isText(node) ? (node.textContent ?? '').slice(-CONTEXT) : '';
  }
  let text = '';
  const last = node.localName === 'sup' ? null : node.lastChild;
  for (let inner = last; inner && text.length < CONTEXT && left.nodes > 0;) {
    left.nodes -= 1;
    text = endOf(inner, left) + text;
    inner = inner.previousSibling;
  }
  return text;
}

/** Returns the first characters of the line after an element. */
function textAfter(element: DomElement): string {
  let left = MOST_BESIDE;
  for (
    let at: DomElement | null = element;
    at && !BLOCKS.has(at.localName);
    at = at.parentElement
  ) {
    for (let node = at.nextSibling; node; node = node.nextSibling) {
      left -= 1;
      const text = left < 0 || isEdge(node) ? ' ' : startOfNode(node);
      if (text !== '') {
        return text;
      }
    }
  }
  return '';
}

const startOfNode = (node: DomNode): string =>
  isElement(node)
    ? startOf(node, CONTEXT)
    : isText(node)
      ? (node.textContent ?? '').slice(0, CONTEXT)
      : '';

/** Returns true for a node that begins a new line. */
const isEdge = (node: DomNode): boolean =>
  isElement(node) && (node.localName === 'br' || BLOCKS.has(node.localName));

/** Returns the link of a raised number, which is around or inside it. */
const linkOf = (element: DomElement): DomElement | undefined =>
  around(element, LINKS) ??
  [...element.querySelectorAll('a')].find((link) => startOf(link, 1).trim() !== '');

/** Matches the address of a link that only starts a script. */
const OF_SCRIPT = /^\s*(?:$|#!?$|javascript:)/iu;

/** Returns the id to which a raised number links, or an empty text. Returns undefined for a link to another page. */
function targetOf(element: DomElement): string | undefined {
  const link = linkOf(element);
  const href = link === undefined ? '' : attribute(link, 'href');
  if (OF_SCRIPT.test(href)) {
    // A longer link contains other text, and must not lead to the note.
    return link === undefined || numberIn(link) !== undefined ? '' : undefined;
  }
  return href.includes('#') ? decoded(href.replace(/^[^#]*#/u, '')) : undefined;
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/** Makes a raised number a link to an id. */
export function writeLink({ element }: Reference, id: string): void {
  const href = `#${id.replaceAll('%', '%25')}`;
  const link = linkOf(element);
  if (link !== undefined) {
    link.setAttribute('href', href);
    return;
  }
  const anchor = element.ownerDocument.createElement('a');
  anchor.setAttribute('href', href);
  anchor.textContent = lineOf(element);
  // Links back from a note can lead to an empty `<a name>` beside the number.
  element.replaceChildren(...element.querySelectorAll('a'), anchor);
}
