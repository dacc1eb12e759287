import type { DomDocument, DomElement } from '../dom/dom.js';
import { parseDocument } from '../dom/parse-document.js';
import { blocksOf } from './blocks.js';
import { denseElement } from './dense-element.js';
import { lengthOf, type Prose, proseOf } from './prose.js';
import { readableElement } from './readable-element.js';

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

/**
 * Readability's choice, held against the prose of the page; where it falls short by far, the densest
 * element. `document` is taken apart, `html` is what it was made of.
 */
export function articleBody(
  html: string,
  document: DomDocument,
  prose: readonly Prose[],
  title: string,
): ArticleBody {
  const covered = lengthOf(prose);
  document.title = title;
  const readable = readableElement(document);
  const length = readable ? textLength(readable.element) : 0;
  const byline = readable?.byline ?? '';
  if (!fallsShort(length, covered)) {
    return { element: readable?.element, byline, usedFallback: false };
  }
  const dense = denseIn(html);
  const isBetter = length < TOO_SHORT || textLength(dense) > MUCH_LONGER * length;
  return isBetter
    ? { element: dense, byline, usedFallback: true }
    : { element: readable?.element, byline, usedFallback: false };
}

const fallsShort = (length: number, prose: number): boolean =>
  length < TOO_SHORT || (prose > ENOUGH_PROSE && length < LEAST_COVERED * prose);

function denseIn(html: string): DomElement {
  const { body } = parseDocument(html);
  return denseElement(body, proseOf(body));
}

const textLength = (element: DomElement): number =>
  blocksOf(element).reduce((sum, { text }) => sum + text.length, 0);
