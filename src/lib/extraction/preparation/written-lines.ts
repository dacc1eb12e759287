import { type DomElement, type DomNode, isElement, isText } from '../dom.js';
import { BLOCKS } from '../markup/kept-html.js';

/** The maximum number of line breaks that are added to a page. */
const MOST_BREAKS = 2_000;
/** Elements in which a line break is never visible, or whose text keeps its lines without line breaks. */
const APART: ReadonlySet<string> = new Set('pre code table ul ol dl'.split(' '));

/** Returns true if a style shows the line ends in the text of an element, such as `white-space: pre-wrap`. */
export const hasWrittenLines = (element: DomElement): boolean =>
  element.hasAttribute('data-lines') && !APART.has(element.localName);

/** Writes a line break for each line end that a style of the page shows. The article has no styles. */
export class WrittenLines {
  #left = MOST_BREAKS;

  /** Skips elements inside `parent` that have the same style, because they are written separately. */
  write(parent: DomElement): void {
    for (let node = parent.firstChild, next = node; node; node = next) {
      next = node.nextSibling;
      if (isText(node)) {
        this.#divide(node, parent);
      } else if (isElement(node) && !APART.has(node.localName) && !hasWrittenLines(node)) {
        this.write(node);
      }
    }
  }

  #divide(node: DomNode, { ownerDocument }: DomElement): void {
    const [first = '', ...others] = linesOf(node);
    if (others.length === 0 || others.length > this.#left) {
      return;
    }
    this.#left -= others.length;
    node.before(first, ...others.flatMap((line) => [ownerDocument.createElement('br'), line]));
    node.remove();
  }
}

/** Returns the lines of a text. Omits a line end beside a block element, which begins a new line anyway. */
function linesOf(node: DomNode): string[] {
  const text = (node.textContent ?? '').replaceAll('\r\n', '\n');
  const start = isAtBlock(node.previousSibling) ? text.replace(/^[^\S\n]*\n/u, '') : text;
  const end = isAtBlock(node.nextSibling) ? start.trimEnd() : start;
  return end.split('\n', MOST_BREAKS + 2);
}

const isAtBlock = (node: DomNode | null): boolean =>
  node === null || (isElement(node) && (BLOCKS.has(node.localName) || node.localName === 'br'));
