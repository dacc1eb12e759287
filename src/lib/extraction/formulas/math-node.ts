import { type ChildNode, type Element, isTag, isText } from 'domhandler';

/** A node of a formula, with the names and the child order of MathML. */
export interface MathNode {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** The text of a token, such as `mi`. Empty for all other nodes. */
  readonly text: string;
  readonly children: readonly MathNode[];
}

/** The maximum depth of a formula. Deeper parts become text, because the formula is processed recursively. */
const DEEPEST = 64;

const TOKENS: ReadonlySet<string> = new Set(['mi', 'mn', 'mo', 'ms', 'mtext']);

export const isToken = (name: string): boolean => TOKENS.has(name);

export const mathNode = (name: string, children: readonly MathNode[]): MathNode => ({
  name,
  attributes: {},
  text: '',
  children,
});

export const token = (name: string, text: string): MathNode => ({
  name,
  attributes: {},
  text,
  children: [],
});

/** Converts a `<math>` element, or an element inside it, to a node. Drops text outside of tokens. */
export function nodeOfMathMl(element: Element, depth = 0): MathNode {
  const { name, attribs, children } = element;
  if (isToken(name)) {
    return { name, attributes: attribs, text: tokenText(children), children: [] };
  }
  const inner =
    depth < DEEPEST
      ? children.filter(isTag).map((one) => nodeOfMathMl(one, depth + 1))
      : textNodes(children);
  return { name, attributes: attribs, text: '', children: inner };
}

/** Returns a token with the text of parts that are too deep to be converted. */
export function textNodes(nodes: readonly ChildNode[]): MathNode[] {
  const text = tokenText(nodes);
  return text === '' ? [] : [token('mtext', text)];
}

/** Returns the text of nodes at any depth, with single spaces. */
export function tokenText(nodes: readonly ChildNode[]): string {
  let text = '';
  eachNode(nodes, (node) => {
    text += isText(node) ? node.data : '';
    return false;
  });
  return text.replace(/[\s\u200b]+/gu, ' ').trim();
}

/** Returns the first element for which `isOne` returns true, in document order. */
export function findElement(
  nodes: readonly ChildNode[],
  isOne: (element: Element) => boolean,
): Element | undefined {
  let found: Element | undefined;
  eachNode(nodes, (node) => {
    found = isTag(node) && isOne(node) ? node : undefined;
    return found !== undefined;
  });
  return found;
}

/**
 * Calls `isLast` for each node in document order, until it returns true. Does not use recursion, because a page can nest
 * so many elements in a formula that recursion would exceed the call stack.
 */
function eachNode(nodes: readonly ChildNode[], isLast: (node: ChildNode) => boolean): void {
  const left = nodes.toReversed();
  for (let node = left.pop(); node !== undefined && !isLast(node); node = left.pop()) {
    for (const inner of isTag(node) ? node.children.toReversed() : []) {
      left.push(inner);
    }
  }
}
