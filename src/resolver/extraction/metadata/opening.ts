import type { DomElement } from '../dom/dom.js';
import { type Block, blocksOf } from '../text/blocks.js';

const LINES_BEFORE = 5;
const LETTERS_AFTER = 1_500;
const LONGEST_LINE = 160;

/** The short lines around the headline of a page, where its author and date stand: first those after it. */
export function openingOf(body: DomElement): string[] {
  const blocks = blocksOf(body);
  const headline = Math.max(blocks.findIndex(isHeadline), 0);
  const before = blocks.slice(Math.max(headline - LINES_BEFORE, 0), headline);
  return [...within(blocks.slice(headline + 1), LETTERS_AFTER), ...before.reverse()]
    .map(({ text }) => text)
    .filter(({ length }) => length <= LONGEST_LINE);
}

function isHeadline({ element }: Block): boolean {
  for (let at: DomElement | null = element; at; at = at.parentElement) {
    if (at.localName === 'h1') {
      return true;
    }
  }
  return false;
}

function within(blocks: readonly Block[], letters: number): readonly Block[] {
  let read = 0;
  const end = blocks.findIndex(({ text }) => {
    read += text.length;
    return read > letters;
  });
  return end < 0 ? blocks : blocks.slice(0, end);
}
