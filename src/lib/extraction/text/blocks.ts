import { type DomElement, type DomNode, folded, isElement, isText, squeezed } from '../dom.js';
import { BLOCKS } from '../markup/kept-html.js';

/** A visible line of a page: a paragraph, list item, cell or heading. */
export interface Block {
  readonly text: string;
  /** The number of characters of the line that are inside links. */
  readonly linked: number;
  /** The element that starts the line. */
  readonly element: DomElement;
  /** The text nodes of the line. */
  readonly nodes: readonly DomNode[];
}

const SILENT: ReadonlySet<string> = new Set(
  'script style noscript template iframe object audio video head title button'.split(' '),
);

/** Returns the visible text below an element, line by line. */
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

/** Returns the total number of characters in the blocks. */
export const textLength = (blocks: readonly Block[]): number =>
  blocks.reduce((sum, { text }) => sum + text.length, 0);

/** Returns the number of characters in the blocks, without characters inside links. */
export const ownLength = (blocks: readonly Block[]): number =>
  blocks.reduce((sum, { text, linked }) => sum + text.length - linked, 0);
