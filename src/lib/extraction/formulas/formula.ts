import { type ChildNode, type Element, isTag } from 'domhandler';
import { escapeText } from 'entities';
import { parseDocument } from 'htmlparser2';

import { isTooDeep, textOfMarkup } from '../markup/nesting.js';
import { statedTex } from './formula-tags.js';
import { nodeOfKatex } from './katex.js';
import { mathMl } from './math-ml.js';
import { findElement, type MathNode, nodeOfMathMl, tokenText } from './math-node.js';
import { mathText } from './math-text.js';
import { nodeOfMathJax } from './mathjax.js';

/** A formula of a page. */
export interface Formula {
  /** The formula as HTML text: TeX in `\(…\)`, or one line in linear notation if its TeX is unknown. */
  readonly text: string;
  /** The formula as safe MathML. Empty if the page does not contain the structure of the formula. */
  readonly mathMl: string;
}

/** The maximum number of characters in the markup of a formula. A longer formula is dropped. */
const LONGEST = 200_000;
const TEX = /^(?:math\/|application\/x-)(?:la)?tex\b/iu;

/** Converts the markup of a formula: MathML, or a drawing by KaTeX or MathJax. Keeps only the text of very deep markup. */
export function formulaOf(markup: string): Formula {
  if (markup.length > LONGEST) {
    return { text: '', mathMl: '' };
  }
  return isTooDeep(markup)
    ? { text: textOfMarkup(markup), mathMl: '' }
    : formulaIn(parseDocument(markup).children);
}

function formulaIn(roots: readonly ChildNode[]): Formula {
  const math = findElement(roots, ({ name }) => name === 'math');
  const tex = texOf(roots);
  const node = math ? nodeOfMathMl(math) : drawnNode(roots);
  const line = node ? mathText(node) : '';
  return {
    text: tex === '' ? escapeText(line) : writtenFormula(escapeText(tex)),
    mathMl: node && line !== '' ? mathMl(node, tex || line, isDisplayed(math, roots)) : '',
  };
}

/**
 * Returns the TeX of a formula in the form that the article's text contains. Removes the command `\displaystyle`, which
 * only affects the layout of the formula.
 */
export const writtenFormula = (tex: string): string => `\\(${withoutStyle(tex)}\\)`;

const withoutStyle = (tex: string): string =>
  tex.trim().replace(/^\{\\displaystyle (.*)\}$/su, '$1');

/** Returns the TeX that the markup of a formula contains, from the most to the least reliable place. */
function texOf(roots: readonly ChildNode[]): string {
  const annotation = findElement(
    roots,
    ({ name, attribs }) => name === 'annotation' && TEX.test(attribs['encoding'] ?? ''),
  );
  if (annotation !== undefined) {
    return withoutStyle(tokenText(annotation.children));
  }
  const stated = findElement(roots, ({ attribs }) => writtenTex(attribs) !== '');
  return withoutStyle(stated ? writtenTex(stated.attribs) : textOfTexElement(roots));
}

const TEX_TAG = /^(?:d-math|dt-math|tex-math)$/u;

const textOfTexElement = (roots: readonly ChildNode[]): string =>
  roots
    .filter((root) => isTag(root) && TEX_TAG.test(root.name))
    .map((root) => tokenText([root]))
    .join('');

/** Returns the TeX in the attributes of an element. LaTeXML and wikis use `alttext`, and wikis also `alt`. */
const writtenTex = (attributes: Readonly<Record<string, string>>): string =>
  statedTex((key) => attributes[key] ?? '') ||
  (attributes['alttext'] ?? '') ||
  (/fallback-image/u.test(attributes['class'] ?? '') ? (attributes['alt'] ?? '') : '');

function drawnNode(roots: readonly ChildNode[]): MathNode | undefined {
  const katex = findElement(roots, ({ attribs }) => /\bkatex-html\b/u.test(attribs['class'] ?? ''));
  if (katex !== undefined) {
    return nodeOfKatex(katex);
  }
  const mathJax = roots.filter(isTag).find(({ name }) => name === 'mjx-container');
  return mathJax && nodeOfMathJax(mathJax);
}

const isDisplayed = (math: Element | undefined, roots: readonly ChildNode[]): boolean =>
  math?.attribs['display'] === 'block' ||
  roots.filter(isTag).some(({ attribs }) => attribs['display'] === 'true');
