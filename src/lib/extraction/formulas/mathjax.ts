import { type ChildNode, type Element, isTag } from 'domhandler';

import { isToken, type MathNode, mathNode, textNodes, token, tokenText } from './math-node.js';

const DEEPEST = 128;
/** The names of MathJax elements that are named differently in MathML. */
const RENAMED: Readonly<Record<string, string>> = { TeXAtom: 'mrow', texatom: 'mrow' };
const PARTS: ReadonlySet<string> = new Set(
  (
    'math mi mn mo ms mtext mrow mfrac msqrt mroot mstyle msub msup msubsup munder mover munderover mtable mtr mtd ' +
    'mpadded mphantom menclose texatom TeXAtom'
  ).split(' '),
);
/** The parts of the drawing of a root that are not the radicand. */
const SURD: ReadonlySet<string> = new Set(['mjx-surd', 'mjx-root']);

/**
 * Converts the drawing of a formula by the library MathJax 3 or 4. The drawing consists of elements that are named after
 * MathML, either `<mjx-mi>` or `<g data-mml-node="mi">`. The characters are in classes or attributes as code points.
 */
export function nodeOfMathJax(drawing: Element): MathNode {
  return mathNode('math', nodesOf(drawing.children, 0));
}

const partOf = (element: Element): string | undefined => {
  const name = element.attribs['data-mml-node'] ?? /^mjx-(\w+)$/u.exec(element.name)?.[1] ?? '';
  return PARTS.has(name) ? (RENAMED[name] ?? name) : undefined;
};

function nodesOf(children: readonly ChildNode[], depth: number): MathNode[] {
  return depth > DEEPEST
    ? textNodes(children)
    : children.filter(isTag).flatMap((element) => {
        const name = SURD.has(element.name) ? '' : partOf(element);
        if (name === '') {
          return [];
        }
        if (name === undefined || name === 'math') {
          return nodesOf(element.children, depth + 1);
        }
        return isToken(name)
          ? [token(name, charactersOf(element, 0))]
          : [mathNode(name, nodesOf(element.children, depth + 1))];
      });
}

/** Returns the characters that a token draws. */
function charactersOf(element: Element, depth: number): string {
  const code =
    /(?:^|\s)mjx-c([0-9A-F]{2,6})(?:\s|$)/u.exec(element.attribs['class'] ?? '')?.[1] ??
    element.attribs['data-c'];
  if (code !== undefined) {
    return characterOf(Number.parseInt(code, 16));
  }
  const inner = element.children.filter(isTag);
  return inner.length === 0 || depth > DEEPEST
    ? tokenText(element.children)
    : inner.map((one) => charactersOf(one, depth + 1)).join('');
}

/** Returns a character in its usual form: letters for formulas, such as 𝑥, become ordinary letters. */
const characterOf = (code: number): string =>
  code > 0 && code <= LAST_CODE_POINT ? String.fromCodePoint(code).normalize('NFKC') : '';

const LAST_CODE_POINT = 0x10_ff_ff;
