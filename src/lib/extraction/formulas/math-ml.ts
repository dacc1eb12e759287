import { escapeText, escapeUTF8 } from 'entities';

import { isToken, type MathNode } from './math-node.js';

/** The elements of MathML Core that browsers draw. The content of any other element replaces the element. */
export const MATH_TAGS: readonly string[] = (
  'math mi mn mo ms mtext mspace mrow mfrac msqrt mroot mstyle merror mpadded mphantom msub msup msubsup munder mover ' +
  'munderover mmultiscripts mprescripts none mtable mtr mtd'
).split(' ');

const KNOWN: ReadonlySet<string> = new Set(MATH_TAGS);
/** Elements that repeat a formula in another notation. They are not shown. */
const UNSEEN: ReadonlySet<string> = new Set(['annotation', 'annotation-xml']);

/** The attributes of MathML elements that change how a formula looks, without addresses, classes and colours. */
export const MATH_ATTRIBUTES: readonly string[] = (
  'mathvariant stretchy fence separator lspace rspace largeop movablelimits form symmetric minsize maxsize width height ' +
  'depth voffset linethickness displaystyle scriptlevel accent accentunder columnalign rowspan columnspan'
).split(' ');

/** Matches the values of MATH_ATTRIBUTES: words, numbers and lengths. */
export const MATH_VALUE = /^[\w.%+ -]{1,60}$/u;

/**
 * Returns a formula as MathML. The result contains only the listed elements and attributes, so any page can show it.
 * The attribute `alttext` contains the formula in TeX or in linear notation.
 */
export function mathMl(formula: MathNode, alt: string, isDisplayed: boolean): string {
  const display = isDisplayed ? ' display="block"' : '';
  const inner = formula.children.map(written).join('');
  return `<math${display} alttext="${escapeUTF8(alt)}">${inner}</math>`;
}

function written(node: MathNode): string {
  const { name, attributes, children, text } = node;
  if (UNSEEN.has(name)) {
    return '';
  }
  if (!KNOWN.has(name) || name === 'math') {
    return children.map(written).join('');
  }
  const kept = MATH_ATTRIBUTES.flatMap((key) => {
    const value = attributes[key];
    return value !== undefined && MATH_VALUE.test(value) ? [` ${key}="${value}"`] : [];
  });
  const inner = isToken(name) ? escapeText(text) : children.map(written).join('');
  return `<${name}${kept.join('')}>${inner}</${name}>`;
}
