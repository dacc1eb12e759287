import { type DomElement, type DomNode, folded, isElement, isText, squeezed } from '../dom.js';
import { BLOCKS } from '../markup/kept-html.js';

/** A line of visible text on a page, such as a paragraph, a list item, a cell or a heading. */
export interface Block {
  readonly text: string;
  /** The number of characters of the line that are in links. */
  readonly linked: number;
  /** The element in which the line begins. */
  readonly element: DomElement;
  /** The text nodes of which the line consists. */
  readonly nodes: readonly DomNode[];
}

const SILENT: ReadonlySet<string> = new Set(
  'script style noscript template iframe object audio video head title button'.split(' '),
);

/** Returns the lines of visible text in an element. */
export function blocksOf(root: DomElement): Block[] {
  const reader = new BlockReader(root);
  reader.read(root, 0);
  reader.end(root);
  return reader.blocks;
}

class BlockReader {
  readonly blocks: Block[] = [];
  #nodes: DomNode[] = [];
  #linked = 0;
  #owner: DomElement;

  constructor(root: DomElement) {
    this.#owner = root;
  }

  read(parent: DomElement, linkDepth: number): void {
    for (let node: DomNode | null = parent.firstChild; node; node = node.nextSibling) {
      if (isText(node)) {
        this.#text(node, linkDepth);
      } else if (isElement(node)) {
        this.#element(node, linkDepth);
      }
    }
  }

  end(next: DomElement): void {
    const all = this.#nodes.map(({ textContent }) => textContent ?? '').join('');
    const text = squeezed(all.replaceAll('\u00ad', ''));
    if (text !== '') {
      const linked = Math.min(this.#linked, text.length);
      this.blocks.push({ text, linked, element: this.#owner, nodes: this.#nodes });
    }
    this.#nodes = [];
    this.#linked = 0;
    this.#owner = next;
  }

  #text(node: DomNode, linkDepth: number): void {
    this.#nodes.push(node);
    this.#linked += linkDepth > 0 ? folded(node.textContent ?? '').length : 0;
  }

  #element(element: DomElement, linkDepth: number): void {
    const name = element.localName;
    if (SILENT.has(name) || element.hasAttribute('hidden')) {
      return;
    }
    if (name === 'br') {
      this.end(this.#owner);
    } else if (BLOCKS.has(name)) {
      const outer = this.#owner;
      this.end(element);
      this.read(element, linkDepth);
      this.end(outer);
    } else {
      this.read(element, linkDepth + Number(name === 'a'));
    }
  }
}

/** Returns the total number of characters in the lines. */
export const textLength = (blocks: readonly Block[]): number =>
  blocks.reduce((sum, { text }) => sum + text.length, 0);

/** Returns the total number of characters in the lines, not counting characters in links. */
export const ownLength = (blocks: readonly Block[]): number =>
  blocks.reduce((sum, { text, linked }) => sum + text.length - linked, 0);
