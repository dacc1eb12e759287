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
}

/** The position of a highlight in the text of an article. Offsets do not count white space. */
interface FoundPassage {
  readonly id: string;
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
  passages.flatMap(({ id, quote, before }) => {
    const words = withoutBlanks(quote);
    const start = words === '' ? -1 : placeOf(text, words, withoutBlanks(before).slice(-CONTEXT));
    return start < 0 ? [] : [{ id, start, end: start + words.length }];
  });

/**
 * Returns the offset of a highlight in the text. If the text contains the quote several times, returns the occurrence
 * whose preceding text matches best. If several match equally well, returns the first of them.
 */
function placeOf(text: string, words: string, before: string): number {
  let best = text.indexOf(words);
  if (before === '') {
    return best;
  }
  let known = -1;
  let at = best;
  for (let count = 0; at >= 0 && count < MOST_PLACES; count += 1) {
    const common = commonEnd(text.slice(Math.max(0, at - CONTEXT), at), before);
    if (common > known) {
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
    return end === start || inside.length === 0
      ? []
      : [{ start, end, ids: inside.map(({ id }) => id), begins: begins.map(({ id }) => id) }];
  });
}

const PATCH_MARK = '+%3Cpkt_tag_annotation';
const PATCH_CONTEXT = 32;

/**
 * Returns the text before a highlight. The text comes from the patch that the client sent to create
 * the highlight, a diff that inserts marks around the highlight.
 */
export function beforeInPatch(patch: string): string {
  const lines = patch.split('\n');
  const mark = lines.findIndex((line) => line.toLowerCase().startsWith(PATCH_MARK.toLowerCase()));
  const line = mark < 1 ? undefined : lines[mark - 1];
  return line?.startsWith(' ') === true ? decoded(line.slice(1)).replaceAll(/<[^>]*>?/g, ' ') : '';
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Returns the patch from which clients can locate a highlight. The patch is a diff with one hunk, which inserts marks
 * around the highlight.
 */
export function patchOf(before: string, quote: string): string {
  const context = before.slice(-PATCH_CONTEXT).toWellFormed();
  const [opening, closing] = ['<pkt_tag_annotation>', '</pkt_tag_annotation>'];
  const length = context.length + quote.length;
  return [
    `@@ -1,${length} +1,${length + opening.length + closing.length} @@`,
    ...(context === '' ? [] : [` ${encodeURI(context)}`]),
    `+${encodeURI(opening)}`,
    ` ${encodeURI(quote)}`,
    `+${encodeURI(closing)}`,
    '',
  ].join('\n');
}
