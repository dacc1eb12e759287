import { isToken, type MathNode } from './math-node.js';

/** MathML elements whose text is not part of the shown formula. */
const SKIPPED: ReadonlySet<string> = new Set([
  'annotation',
  'annotation-xml',
  'mphantom',
  'none',
  'mprescripts',
]);

/** Converts a formula to one line of text in a usual notation: `(a+b)/2`, `x^2`, `√(n)`. */
export const mathText = (formula: MathNode): string => joined(formula.children);

/** Joins the texts of MathML nodes. Adds spaces around a name of several letters, as in `sin x`, but not in `2ab`. */
function joined(nodes: readonly MathNode[]): string {
  const parts: string[] = [];
  let end = '';
  for (const text of nodes.map(textOf).filter((one) => one !== '')) {
    const isName = /\p{L}{2}$/u.test(end) || /^\p{L}{2}/u.test(text);
    const isApart = isName && /[\p{L}\p{N}]$/u.test(end) && /^[\p{L}\p{N}]/u.test(text);
    parts.push(isApart ? ` ${text}` : text);
    // Only the last letters decide about the next space. A search in the whole line would take quadratic time.
    end = `${isApart ? ' ' : end}${text}`.slice(-LONGEST_END);
  }
  return parts.join('');
}

/** The length of two letters, which may each consist of two code units. */
const LONGEST_END = 4;

function textOf({ name, text, children }: MathNode): string {
  if (SKIPPED.has(name)) {
    return '';
  }
  if (isToken(name)) {
    return text;
  }
  const written = WRITTEN[name];
  return written === undefined ? joined(children) : written(children.map(textOf));
}

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
