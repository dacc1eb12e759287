import { type ChildNode, type Element, isTag, isText } from 'domhandler';

import { findElement, type MathNode, mathNode, textNodes, token, tokenText } from './math-node.js';

const DEEPEST = 128;

/**
 * Converts the drawing of a formula by the library KaTeX. Pages that use the option `output: 'html'` contain only this
 * drawing. KaTeX draws from the bottom to the top: in a fraction, the denominator comes first.
 */
export const nodeOfKatex = (drawing: Element): MathNode =>
  mathNode('math', nodesOf(drawing.children, 0));

const hasClass = (element: Element, name: string): boolean =>
  (element.attribs['class'] ?? '').split(/\s/u).includes(name);

function nodesOf(children: readonly ChildNode[], depth: number): MathNode[] {
  if (depth > DEEPEST) {
    return textNodes(children);
  }
  const nodes: MathNode[] = [];
  for (const child of children) {
    if (isText(child)) {
      nodes.push(...tokensOf(tokenText([child])));
    } else if (isTag(child) && hasClass(child, 'msupsub')) {
      nodes.push(scripted(nodes.pop(), child, depth));
    } else if (isTag(child)) {
      nodes.push(...drawn(child, depth));
    }
  }
  return nodes;
}

type Conversion = (element: Element, depth: number) => MathNode;

/** The classes of parts that KaTeX draws in two dimensions, and their conversions. */
const PARTS: readonly (readonly [name: string, convert: Conversion])[] = [
  ['mfrac', fractionOf],
  ['mtable', tableOf],
  ['sqrt', rootOf],
  ['op-limits', withLimits],
];

function drawn(element: Element, depth: number): MathNode[] {
  const [, convert] = PARTS.find(([name]) => hasClass(element, name)) ?? [];
  if (convert !== undefined) {
    return [convert(element, depth)];
  }
  return hasClass(element, 'vlist-s') || hasClass(element, 'pstrut')
    ? []
    : nodesOf(element.children, depth + 1);
}

function fractionOf(element: Element, depth: number): MathNode {
  const [below = EMPTY, ...above] = rowsOf(listOf(element.children), depth);
  return mathNode('mfrac', [above.at(-1) ?? EMPTY, below]);
}

/** Returns a root. The degree of the root, such as 3, is drawn before the other parts. */
function rootOf({ children }: Element, depth: number): MathNode {
  const degree = children.filter(isTag).find((one) => hasClass(one, 'root'));
  const radicand = rowsOf(listOf(children.filter((one) => one !== degree)), depth).slice(0, 1);
  return degree === undefined
    ? mathNode('msqrt', radicand)
    : mathNode('mroot', [
        mathNode('mrow', radicand),
        mathNode('mrow', nodesOf(degree.children, depth + 1)),
      ]);
}

/** The maximum number of cells in a table. A page could otherwise declare many more cells than it has characters. */
const MOST_CELLS = 2_500;

/** Returns a table. KaTeX draws a matrix column by column, and each column from the top to the bottom. */
function tableOf({ children }: Element, depth: number): MathNode {
  const columns = children
    .filter(isTag)
    .filter(isColumn)
    .map((one) => listOf(one.children));
  const [first = []] = columns;
  if (first.length * columns.length > MOST_CELLS) {
    return mathNode('mrow', nodesOf(children, depth + 1));
  }
  const rows = first.map((_, at) =>
    columns.map((cells) => mathNode('mtd', nodesOf(cells[at]?.children ?? [], depth + 1))),
  );
  return mathNode(
    'mtable',
    rows.map((cells) => mathNode('mtr', cells)),
  );
}

const isColumn = (element: Element): boolean =>
  /(?:^|\s)col-align-/u.test(element.attribs['class'] ?? '');

const EMPTY = mathNode('mrow', []);

/** Returns the parts of a formula that KaTeX draws above each other, from the bottom to the top. */
const rowsOf = (rows: readonly Element[], depth: number): MathNode[] =>
  rows.flatMap((row) => {
    const inner = nodesOf(row.children, depth + 1);
    return inner.length > 0 ? [mathNode('mrow', inner)] : [];
  });

const listOf = (nodes: readonly ChildNode[]): Element[] =>
  findElement(nodes, (one) => hasClass(one, 'vlist'))?.children.filter(isTag) ?? [];

/** Adds an index, an exponent or both to the preceding part. KaTeX uses the class `vlist-t2` if there is an index. */
function scripted(base: MathNode = EMPTY, element: Element, depth: number): MathNode {
  const rows = rowsOf(listOf(element.children), depth);
  const [below = EMPTY, above] = rows;
  if (above !== undefined) {
    return mathNode('msubsup', [base, below, above]);
  }
  const hasIndex = findElement([element], (one) => hasClass(one, 'vlist-t2')) !== undefined;
  return mathNode(hasIndex ? 'msub' : 'msup', [base, below]);
}

/** Returns an operator with the limits that KaTeX draws below it, above it, or both. */
function withLimits(element: Element, depth: number): MathNode {
  const rows = listOf(element.children).filter((row) => tokenText([row]) !== '');
  const at = Math.max(rows.findIndex(hasOperator), 0);
  const nodes = rows.map((row) => mathNode('mrow', nodesOf(row.children, depth + 1)));
  return limited(nodes[at], nodes[at - 1], nodes[at + 1]);
}

const hasOperator = (row: Element): boolean =>
  findElement([row], (one) => hasClass(one, 'mop')) !== undefined;

function limited(base: MathNode = EMPTY, below?: MathNode, above?: MathNode): MathNode {
  if (below && above) {
    return mathNode('munderover', [base, below, above]);
  }
  if (below) {
    return mathNode('munder', [base, below]);
  }
  return above ? mathNode('mover', [base, above]) : base;
}

/** Returns the token for a text: a number, a name, or an operator. */
export const tokensOf = (text: string): MathNode[] =>
  text === ''
    ? []
    : [token(/^[\d.,]+$/u.test(text) ? 'mn' : /^\p{L}/u.test(text) ? 'mi' : 'mo', text)];
