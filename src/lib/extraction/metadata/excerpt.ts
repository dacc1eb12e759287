import { decodeHTML } from 'entities';

import { type DomElement, squeezed } from '../dom.js';
import { metaOf } from '../markup/head-reader.js';
import type { Block } from '../text/blocks.js';
import type { Clues } from './clues.js';
import { ldText } from './json-ld.js';

/** The minimum length of a page's description in characters. Shorter descriptions are slogans or repeat the title. */
const SHORTEST = 40;
const PARAGRAPH = 80;
const LONGEST = 400;
/**
 * The maximum number of characters of a page's description that are read. Some descriptions contain the whole article.
 */
const LONGEST_READ = 5_000;
const TAG = /<[^<>]{1,200}>/gu;

/**
 * Returns the excerpt of a page, which is a text of a few lines. The excerpt is the description of the page, or the
 * first paragraph if the page has no description.
 */
export function excerptOf(clues: Clues, paragraphs: readonly string[]): string {
  const own = descriptions(clues);
  const paragraph = paragraphs.find(({ length }) => length >= PARAGRAPH);
  return shortened(fitting(own) ?? paragraph ?? own[0] ?? paragraphs[0] ?? '');
}

/**
 * Returns the first description that is long enough. If this description is cut off, but another description of the
 * page contains the complete text, returns the complete description.
 */
function fitting(own: readonly string[]): string | undefined {
  const all = own.filter(({ length }) => length >= SHORTEST);
  const start = all[0]?.slice(0, SHORTEST) ?? '';
  const whole = all.find((text) => text.startsWith(start) && !/(?:…|\.\.\.)$/u.test(text));
  return whole ?? all[0];
}

const descriptions = ({ facts, main }: Clues): string[] =>
  [
    metaOf(facts, ['og:description']),
    metaOf(facts, ['description']),
    metaOf(facts, ['twitter:description', 'dc.description', 'dcterms.abstract']),
    ...main.map((node) => ldText(node['description'])),
  ]
    .map((text) => squeezed(decodeHTML(text.slice(0, LONGEST_READ)).replace(TAG, ' ')))
    .filter((text) => text !== '');

/** Shortens a text to the maximum length of an excerpt. Cuts only between words. */
function shortened(text: string): string {
  if (text.length <= LONGEST) {
    return text;
  }
  const cut = text.slice(0, LONGEST);
  const end = cut.lastIndexOf(' ');
  return `${cut.slice(0, end > LONGEST / 2 ? end : LONGEST).trimEnd()}…`;
}

const LINES_BEFORE = 5;
const LETTERS_AFTER = 1_500;
const LONGEST_LINE = 160;

/**
 * Returns the short lines around the headline. These lines may contain the author and the date of the page. The lines
 * after the headline come first.
 */
export function openingOf(blocks: readonly Block[]): string[] {
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
