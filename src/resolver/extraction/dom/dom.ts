/** The part of the DOM that extraction uses, as linkedom has it. */
export interface DomNode {
  readonly nodeType: number;
  readonly parentElement: DomElement | null;
  readonly firstChild: DomNode | null;
  readonly nextSibling: DomNode | null;
  readonly textContent: string | null;
  remove(): void;
}

export interface DomElement extends DomNode {
  readonly localName: string;
  readonly children: Iterable<DomElement>;
  readonly innerHTML: string;
  readonly outerHTML: string;
  textContent: string | null;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  hasAttribute(name: string): boolean;
  querySelector(selector: string): DomElement | null;
  querySelectorAll(selector: string): Iterable<DomElement>;
  contains(node: DomNode): boolean;
  append(...nodes: DomNode[]): void;
  replaceWith(node: DomNode): void;
}

export interface DomDocument {
  readonly body: DomElement;
  title: string;
  createElement(name: string): DomElement;
}

const ELEMENT = 1;
const TEXT = 3;

export const isElement = (node: DomNode): node is DomElement => node.nodeType === ELEMENT;

export const isText = (node: DomNode): boolean => node.nodeType === TEXT;

/** The attribute's value, "" when it has none. */
export const attribute = (element: DomElement, name: string): string =>
  element.getAttribute(name) ?? '';

/** The text of an element on one line. */
export const lineOf = (node: DomNode): string => squeezed(node.textContent ?? '');

/** White space folded and trimmed. */
export const squeezed = (text: string): string => text.replace(/\s+/gu, ' ').trim();

/** Class and id of an element, by which sites say what it is. */
export const labelOf = (element: DomElement): string =>
  `${attribute(element, 'class')} ${attribute(element, 'id')}`;

/** Calls `visit` for each element below `root`, in order; where it answers false, not for those below. */
export function eachElement(root: DomElement, visit: (element: DomElement) => boolean): void {
  for (let node = root.firstChild; node; node = node.nextSibling) {
    if (isElement(node) && visit(node)) {
      eachElement(node, visit);
    }
  }
}
