import type { DomDocument, DomElement } from '../dom/dom.js';
import { parseDocument } from '../dom/parse-document.js';
import type { Markup } from '../markup/scan-markup.js';
import { blocksOf } from './blocks.js';
import { denseElement } from './dense-element.js';
import { lengthOf, type Prose, proseOf } from './prose.js';
import { type Readable, readableElement } from './readable-element.js';

/** The part of a page that is its article. */
export interface ArticleBody {
  readonly element: DomElement | undefined;
  readonly byline: string;
  readonly usedFallback: boolean;
}

/** Less than this is a cookie line or a teaser, whatever the page holds. */
const TOO_SHORT = 250;
/** A result that leaves out this much of the prose has missed some sections. */
const LEAST_COVERED = 0.7;
const ENOUGH_PROSE = 500;
const MUCH_LONGER = 2;
/** Readability takes up to 430 ms for 1,000 tags; of 736 real pages none has more than 11,265. */
const MOST_TAGS_TO_CHOOSE_FROM = 12_000;

/**
 * Readability's choice, held against the prose of the page; where it falls short by far, or the page is huge, the
 * densest element. `document` is taken apart, `markup` is what it was made of.
 */
export function articleBody(
  markup: Pick<Markup, 'html' | 'tags' | 'isFlooded'>,
  document: DomDocument,
  prose: readonly Prose[],
): ArticleBody {
  const readable = readableOf(document, markup);
  const length = readable ? textLength(readable.element) : 0;
  const dense = fallsShort(length, lengthOf(prose)) ? denseIn(markup.html) : undefined;
  const usedFallback = dense !== undefined && isBetter(textLength(dense), length);
  return {
    element: usedFallback ? dense : readable?.element,
    byline: readable?.byline ?? '',
    usedFallback,
  };
}

const readableOf = (
  document: DomDocument,
  { tags, isFlooded }: Pick<Markup, 'tags' | 'isFlooded'>,
): Readable | undefined =>
  isFlooded || tags > MOST_TAGS_TO_CHOOSE_FROM ? undefined : readableElement(document);

const isBetter = (dense: number, readable: number): boolean =>
  readable < TOO_SHORT || dense > MUCH_LONGER * readable;

const fallsShort = (length: number, prose: number): boolean =>
  length < TOO_SHORT || (prose > ENOUGH_PROSE && length < LEAST_COVERED * prose);

function denseIn(html: string): DomElement {
  const { body } = parseDocument(html);
  return denseElement(body, proseOf(body));
}

const textLength = (element: DomElement): number =>
  blocksOf(element).reduce((sum, { text }) => sum + text.length, 0);
