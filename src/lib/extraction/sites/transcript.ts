import type { DomElement } from '../dom.js';
import type { Clues } from '../metadata/clues.js';
import { textsIn, valueOf } from './fields.js';
import type { SiteRule } from './site-rule.js';

/** The maximum number of segments of a transcript. A segment is spoken in a few seconds. */
const MOST_SEGMENTS = 10_000;
/** The number of characters after which a paragraph ends with the next sentence, or with the next segment. */
const LONG = 500;
const VERY_LONG = 900;
const SENTENCE_END = /[.!?…。！？]["'”’)]?$/u;

/**
 * Returns the paragraphs of the transcript of a page: of the rendered page, or of the data in its scripts. The segments
 * of a transcript are lines of a few words, so they are joined.
 */
export function transcriptOf(
  { transcript }: Pick<SiteRule, 'transcript'>,
  body: DomElement,
  { facts }: Clues,
): readonly string[] {
  if (transcript === undefined) {
    return [];
  }
  const { at, key } = transcript;
  const shown = [...body.querySelectorAll(at)]
    .slice(0, MOST_SEGMENTS)
    .map((element) => valueOf(element, ''));
  return paragraphsOf(
    shown.length > 0
      ? shown
      : facts.states
          .flatMap((script) => textsIn(script, key, MOST_SEGMENTS))
          .slice(0, MOST_SEGMENTS),
  );
}

function paragraphsOf(segments: readonly string[]): string[] {
  const paragraphs: string[] = [];
  let paragraph = '';
  for (const segment of segments.map((one) => one.trim()).filter((one) => one !== '')) {
    paragraph = paragraph === '' ? segment : `${paragraph} ${segment}`;
    const { length } = paragraph;
    if (length > VERY_LONG || (length > LONG && SENTENCE_END.test(paragraph))) {
      paragraphs.push(paragraph);
      paragraph = '';
    }
  }
  return paragraph === '' ? paragraphs : [...paragraphs, paragraph];
}
