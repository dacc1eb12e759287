import { decodeHTMLStrict, escapeText } from 'entities';

import type { HighlightColor } from '../../lib/util/highlight-color.js';
import type { Annotation } from '../../reading-list/entities/annotation.entity.js';
import { MAX_PATCH } from '../../reading-list/list/tracked-annotations.js';
import { parseArticle } from './parse-article.js';

/** A highlight to find in the text of an article. */
export interface Passage {
  readonly id: string;
  readonly quote: string;
  /**
   * The text before the highlight. If the article contains the quote several times, this text identifies the right one.
   * Empty if it is unknown.
   */
  readonly before: string;
  /**
   * The number of characters before the highlight, without white space. If the same text precedes several occurrences of
   * the quote, the occurrence that is nearest to this offset is the right one. 0 if it is unknown.
   */
  readonly offset: number;
  readonly color: HighlightColor;
  readonly hasNote: boolean;
}

/** The position of a highlight in the text of an article. Offsets do not count white space. */
interface FoundPassage extends Pick<Passage, 'id' | 'color' | 'hasNote'> {
  readonly start: number;
  /** The offset after the last character of the highlight. */
  readonly end: number;
}

/** A part of an article's text whose characters are all covered by the same highlights. */
export interface MarkedPart {
  readonly start: number;
  readonly end: number;
  readonly ids: readonly string[];
  /** The ids of those highlights that begin with this part. */
  readonly begins: readonly string[];
  /** The shortest of the highlights, whose color the reader shows. So a highlight within a longer one is visible. */
  readonly top: Pick<Passage, 'id' | 'color' | 'hasNote'>;
}

/**
 * Matches white space and invisible characters. Comparisons of texts ignore these characters, because they can differ
 * between the text in a browser and the stored article.
 */
const BLANK = /[\s\u00AD\u200B-\u200D\u2060\uFEFF]+/g;
const MOST_PLACES = 1000;
/**
 * The maximum number of characters before a highlight that are compared with the text before each occurrence of the
 * quote. If the article contains the quote several times, this comparison finds the right occurrence.
 */
const CONTEXT = 64;

export const withoutBlanks = (text: string): string => text.replaceAll(BLANK, '');

/** Returns the text of an article without white space. Searches for highlights use this text. */
export function solidText(html: string): string {
  const texts: string[] = [];
  const nothing = (): void => undefined;
  parseArticle(html, {
    open: nothing,
    close: nothing,
    media: nothing,
    text: (text) => {
      texts.push(withoutBlanks(text));
    },
  });
  return texts.join('');
}

/**
 * Finds highlights in the text of an article, and returns their offsets. `text` must not contain white space. Omits
 * highlights whose quotes are missing.
 */
export const findPassages = (text: string, passages: readonly Passage[]): FoundPassage[] =>
  passages.flatMap(({ quote, before, offset, ...passage }) => {
    const words = withoutBlanks(quote);
    const place = { before: withoutBlanks(before).slice(-CONTEXT), offset };
    const start = words === '' ? -1 : placeOf(text, words, place);
    return start < 0 ? [] : [{ ...passage, start, end: start + words.length }];
  });

/**
 * Returns the offset of a highlight in the text. If the text contains the quote several times, returns the occurrence
 * whose preceding text matches best. If several match equally well, returns the nearest one to the offset.
 */
function placeOf(
  text: string,
  words: string,
  { before, offset }: Pick<Passage, 'before' | 'offset'>,
): number {
  let best = text.indexOf(words);
  if (before === '') {
    return best;
  }
  let known = -1;
  let at = best;
  for (let count = 0; at >= 0 && count < MOST_PLACES; count += 1) {
    const common = commonEnd(text.slice(Math.max(0, at - CONTEXT), at), before);
    const isNearer = Math.abs(at - offset) < Math.abs(best - offset);
    if (common > known || (common === known && isNearer)) {
      [best, known] = [at, common];
    }
    at = text.indexOf(words, at + 1);
  }
  return best;
}

function commonEnd(one: string, other: string): number {
  let length = 0;
  const most = Math.min(one.length, other.length);
  while (length < most && one.at(-1 - length) === other.at(-1 - length)) {
    length += 1;
  }
  return length;
}

/**
 * Splits the highlighted text of an article at the start and the end of each highlight. The returned parts are in text
 * order and do not overlap, even if the highlights overlap.
 */
export function markedParts(passages: readonly FoundPassage[]): MarkedPart[] {
  const cuts = [...new Set(passages.flatMap(({ start, end }) => [start, end]))].toSorted(
    (one, other) => one - other,
  );
  return cuts.flatMap((start, at) => {
    const end = cuts[at + 1] ?? start;
    const inside = passages.filter((passage) => passage.start <= start && passage.end >= end);
    const begins = inside.filter((passage) => passage.start === start);
    const top = shortestOf(inside);
    const ids = inside.map(({ id }) => id);
    return end === start || top === undefined
      ? []
      : [{ start, end, ids, begins: begins.map(({ id }) => id), top }];
  });
}

/** Returns the shortest highlight. If several are equally short, returns the last of them. */
const shortestOf = (passages: readonly FoundPassage[]): FoundPassage | undefined =>
  passages.toReversed().toSorted((one, other) => lengthOf(one) - lengthOf(other))[0];

const lengthOf = ({ start, end }: FoundPassage): number => end - start;

const PATCH_MARK = '+%3Cpkt_tag_annotation';
const PATCH_CONTEXT = 32;
/** The number of characters that always fit into a patch. Percent-encoding needs up to nine characters for each. */
const SURE_TO_FIT = 6000;

/**
 * Returns the text before a highlight. The text comes from the patch that the client sent to create
 * the highlight, a diff that inserts marks around the highlight.
 */
export function beforeInPatch(patch: string): string {
  const lines = patch.split('\n');
  const mark = lines.findIndex((line) => line.toLowerCase().startsWith(PATCH_MARK.toLowerCase()));
  const line = mark < 1 ? undefined : lines[mark - 1];
  return line?.startsWith(' ') === true
    ? decodeHTMLStrict(decoded(line.slice(1)).replaceAll(/<[^>]*>?/g, ' '))
    : '';
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns the offset in the first line of a patch. Clients count the characters of the HTML, the reader those of the text. */
export const offsetInPatch = (patch: string): number =>
  Number(/^@@ -(\d{1,9}),/.exec(patch)?.[1] ?? 0);

/** Returns the highlight of a stored annotation. */
export const passageOf = ({ annotationId, quote, patch, color, note }: Annotation): Passage => ({
  id: annotationId,
  quote,
  before: beforeInPatch(patch),
  offset: offsetInPatch(patch),
  color,
  hasNote: note !== '',
});

/**
 * Returns the patch from which clients can locate a highlight. The patch is a diff of HTML with one hunk, which inserts
 * marks around the highlight. If the patch of a long quote would exceed MAX_PATCH, it contains only the beginning of the
 * quote.
 */
export function patchOf(before: string, quote: string, offset = 0): string {
  const context = escapeText(before.slice(-PATCH_CONTEXT).toWellFormed());
  const start = Number.isSafeInteger(offset) && offset >= 0 ? offset : 0;
  const patch = patchAround(start, context, escapeText(quote));
  return patch.length <= MAX_PATCH
    ? patch
    : patchAround(start, context, escapeText(quote.slice(0, SURE_TO_FIT).toWellFormed()));
}

function patchAround(offset: number, context: string, quote: string): string {
  const [opening, closing] = ['<pkt_tag_annotation>', '</pkt_tag_annotation>'];
  const start = Math.max(1, offset);
  const length = context.length + quote.length;
  return [
    `@@ -${start},${length} +${start},${length + opening.length + closing.length} @@`,
    ...(context === '' ? [] : [` ${encodeURI(context)}`]),
    `+${encodeURI(opening)}`,
    ` ${encodeURI(quote)}`,
    `+${encodeURI(closing)}`,
    '',
  ].join('\n');
}
