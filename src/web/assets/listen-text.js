/** Splits a text into sentences, and prepares them for a voice. */

/** Names and titles end with a period that does not end the sentence. */
const ABBREVIATION =
  /(?:^|[\s(])(?:\p{Lu}|Dr|Mrs?|Ms|Prof|St|Nr|No|vs|Fig|ca|bzw|e\.g|i\.e|z\.B)\.\s*$/u;
const STARTS_SMALL = /^\p{Ll}/u;
const HAS_WORDS = /[\p{L}\p{N}]/u;
const WORD = /\S+\s*|\s+/g;
const ENDS_SENTENCE = /[!.?…。！？]["')\]»’”]?$/u;
const INVISIBLE = /[\u00AD\u200B\u2060\uFEFF]/g;
/** The number of characters that are split at once. Browsers are slow with long texts: 200,000 characters take seconds. */
const WINDOW = 4000;
const WEB_ADDRESS = /https?:\/\/([^\s/]+)\S*/g;

/**
 * Returns a function that splits a text into sentences. The parts together are the whole text.
 * @param {string} language Can be empty.
 * @returns {(text: string) => string[]}
 */
export function sentenceSplitter(language) {
  if (!('Segmenter' in Intl)) {
    return (text) => joined(simpleSentences(text));
  }
  const segmenter = segmenterFor(language);
  return (text) => joined(segmentsOf(segmenter, text));
}

/**
 * @param {Intl.Segmenter} segmenter
 * @param {string} text
 */
function segmentsOf(segmenter, text) {
  /** @type {string[]} */
  const segments = [];
  let start = 0;
  let size = WINDOW;
  while (start < text.length) {
    const shown = text.slice(start, start + size);
    const found = Array.from(segmenter.segment(shown), ({ segment }) => segment);
    // The end of the window may be inside the last sentence.
    const whole = start + size < text.length ? found.slice(0, -1) : found;
    for (const segment of whole) {
      segments.push(segment);
      start += segment.length;
    }
    size = whole.length === 0 ? 2 * size : WINDOW;
  }
  return segments;
}

/**
 * Splits a text in browsers without `Intl.Segmenter`.
 * @param {string} text
 */
function simpleSentences(text) {
  const sentences = [''];
  for (const word of text.match(WORD) ?? []) {
    sentences.push(`${sentences.pop() ?? ''}${word}`);
    if (ENDS_SENTENCE.test(word.trimEnd()) || word.includes('\n')) {
      sentences.push('');
    }
  }
  return sentences;
}

/** @param {string} language */
function segmenterFor(language) {
  try {
    return new Intl.Segmenter(language === '' ? undefined : language, { granularity: 'sentence' });
  } catch {
    // The page declares an invalid language.
    return new Intl.Segmenter(undefined, { granularity: 'sentence' });
  }
}

/**
 * Joins parts that a splitter has separated inside a sentence, such as "Dr." and "Smith".
 * @param {readonly string[]} parts
 */
function joined(parts) {
  /** @type {string[][]} */
  const sentences = [];
  let before = '\n';
  for (const part of parts) {
    if (!before.endsWith('\n') && isInside(before, part)) {
      sentences.at(-1)?.push(part);
    } else {
      sentences.push([part]);
    }
    before = part;
  }
  return sentences.map((sentence) => sentence.join(''));
}

/**
 * @param {string} before
 * @param {string} after
 */
const isInside = (before, after) => ABBREVIATION.test(before) || STARTS_SMALL.test(after);

/**
 * Returns the text that a voice says for a part of an article. Returns an empty text for a part without words, such as
 * "* * *".
 * @param {string} part
 */
export const spokenText = (part) =>
  HAS_WORDS.test(part)
    ? part.replace(INVISIBLE, '').replace(WEB_ADDRESS, '$1').replace(/\s+/g, ' ').trim()
    : '';
