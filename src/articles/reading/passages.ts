import { parseArticle } from './parse-article.js';

/** A passage that is to be found in an article. */
export interface Passage {
  readonly id: string;
  readonly quote: string;
  /** What stands before it, where that is known: it decides between equal passages. */
  readonly before: string;
}

/** A passage in the text of an article, of which white space does not count. */
interface FoundPassage {
  readonly id: string;
  readonly start: number;
  /** Behind the last character. */
  readonly end: number;
}

/** A part of the text that lies in the same passages from its beginning to its end. */
export interface MarkedPart {
  readonly start: number;
  readonly end: number;
  readonly ids: readonly string[];
  /** The passages that begin with it. */
  readonly begins: readonly string[];
}

/** Browsers and pages disagree about white space, and about characters that are not seen. */
const BLANK = /[\s\u00AD\u200B-\u200D\u2060\uFEFF]+/g;
const MOST_PLACES = 1000;
/** What stands before a passage need not be compared further. */
const CONTEXT = 64;

export const withoutBlanks = (text: string): string => text.replaceAll(BLANK, '');

/** What is written in an article, without white space. */
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

/** Those of the passages that stand in the text, which is without white space. */
export const findPassages = (text: string, passages: readonly Passage[]): FoundPassage[] =>
  passages.flatMap(({ id, quote, before }) => {
    const words = withoutBlanks(quote);
    const start = words === '' ? -1 : placeOf(text, words, withoutBlanks(before).slice(-CONTEXT));
    return start < 0 ? [] : [{ id, start, end: start + words.length }];
  });

/** Of equal passages, the one with the most of what stands before it; the first one, where that does not tell. */
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

/** Cuts overlapping passages into parts, none of which overlap; in the order of the text. */
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

/** What stands before a passage by the patch that its client has sent: a diff that inserts marks around it. */
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

/** The same for other clients: a diff of one hunk. */
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
