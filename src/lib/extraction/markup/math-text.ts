import { type ChildNode, isTag, isText } from 'domhandler';
import { parseDocument } from 'htmlparser2';

/**
 * The maximum number of characters in the markup of a formula. The text of a longer formula would not be readable on
 * one line.
 */
const LONGEST = 10_000;
const DEEPEST = 64;
const TOKENS: ReadonlySet<string> = new Set(['mi', 'mn', 'mo', 'ms', 'mtext']);
/** MathML elements whose text is not part of the shown formula. */
const SKIPPED: ReadonlySet<string> = new Set(['annotation', 'annotation-xml', 'mphantom', 'none']);

/** Converts a `<math>` element to one line of HTML text in a usual notation: `(a+b)/2`, `x^2`, `√(n)`. */
export function mathText(markup: string): string {
  const text = markup.length > LONGEST ? '' : joined(parseDocument(markup).children, 0);
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** Joins the texts of MathML nodes. Adds spaces around a name of several letters, as in `sin x`, but not in `2ab`. */
const joined = (nodes: readonly ChildNode[], depth: number): string =>
  nodes
    .map((node) => textOf(node, depth))
    .filter((text) => text !== '')
    .reduce((line, text) => {
      const isName = /\p{L}{2}$/u.test(line) || /^\p{L}{2}/u.test(text);
      return (
        line +
        (isName && /[\p{L}\p{N}]$/u.test(line) && /^[\p{L}\p{N}]/u.test(text) ? ' ' : '') +
        text
      );
    }, '');

function textOf(node: ChildNode, depth: number): string {
  if (!isTag(node) || SKIPPED.has(node.name) || depth > DEEPEST) {
    return '';
  }
  if (TOKENS.has(node.name)) {
    return tokenOf(node.children);
  }
  const written = WRITTEN[node.name];
  return written === undefined
    ? joined(node.children, depth + 1)
    : written(node.children.filter(isTag).map((part) => textOf(part, depth + 1)));
}

const tokenOf = (nodes: readonly ChildNode[]): string =>
  nodes
    .map((node) => (isText(node) ? node.data : ''))
    .join('')
    .replace(/\s+/gu, ' ')
    .trim();

type Parts = readonly string[];

/** A function that returns the text of a MathML element, given the texts of its child elements. */
type Writing = (parts: Parts) => string;

const index: Writing = ([base = '', below = '']) => `${base}_${grouped(below)}`;
const power: Writing = ([base = '', above = '']) => `${grouped(base)}^${grouped(above)}`;
const both: Writing = ([base = '', below = '', above = '']) =>
  `${base}_${grouped(below)}^${grouped(above)}`;

const WRITTEN: Readonly<Record<string, Writing>> = {
  mfrac: ([above = '', below = '']) => `${grouped(above)}/${grouped(below)}`,
  msup: power,
  mover: power,
  msub: index,
  munder: index,
  msubsup: both,
  munderover: both,
  msqrt: (parts) => `√${grouped(parts.join(''))}`,
  mroot: ([base = '', degree = '']) => `${grouped(base)}^(1/${grouped(degree)})`,
  mtable: (rows) => rows.join('; '),
  mtr: (cells) => cells.join(', '),
};

/** Encloses a text in parentheses, unless the text is a number, a name or a single character. */
const grouped = (text: string): string =>
  /^(?:[\p{L}\p{N}.]+|.)$/u.test(text) ? text : `(${text})`;
