import { parseArticle } from './parse-article.js';

/** A highlight to find in an article. */
export interface Passage {
  readonly id: string;
  readonly quote: string;
  /**
   * The text before the highlight, or empty if unknown. It selects one occurrence if the article contains the quote
   * several times.
   */
  readonly before: string;
}

/** The offsets of a highlight in the text of an article, without white space. */
interface FoundPassage {
  readonly id: string;
  readonly start: number;
  /** The offset after the last character of the highlight. */
  readonly end: number;
}

/** A part of an article's text. All characters of the part belong to the same highlights. */
export interface MarkedPart {
  readonly start: number;
  readonly end: number;
  readonly ids: readonly string[];
  /** The ids of the highlights that begin at the start of this part. */
  readonly begins: readonly string[];
}

/**
 * Matches white space and invisible characters. Comparisons ignore these characters, because browsers and pages treat
 * them differently.
 */
const BLANK = /[\s\u00AD\u200B-\u200D\u2060\uFEFF]+/g;
const MOST_PLACES = 1000;
/** The maximum number of characters before a highlight that are compared to choose between occurrences of the quote. */
const CONTEXT = 64;

export const withoutBlanks = (text: string): string => text.replaceAll(BLANK, '');

/** Returns the text of an article without white space, in which highlights are searched for. */
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
 * Returns the offsets of the highlights that the text of an article contains. The text must not contain white space.
 */
export const findPassages = (text: string, passages: readonly Passage[]): FoundPassage[] =>
  passages.flatMap(({ id, quote, before }) => {
    const words = withoutBlanks(quote);
    const start = words === '' ? -1 : placeOf(text, words, withoutBlanks(before).slice(-CONTEXT));
    return start < 0 ? [] : [{ id, start, end: start + words.length }];
  });

/**
 * Returns the offset of a highlight in the text. If the text contains the quote several times, the occurrence with the
 * best matching text before it wins, then the first one.
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

/** Splits overlapping highlights into parts that do not overlap, in text order. */
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
 * Returns the text before a highlight, read from a patch that a client sent. The patch is a diff that inserts marks
 * around the highlight.
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

/** Returns a highlight as a patch for other clients: a diff with one hunk that inserts marks around the highlight. */
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
