/** Matches characters of scripts that write no spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;
const WORD = /[\p{L}\p{N}\p{M}]+(?:['’][\p{L}\p{N}\p{M}]+)*/gu;

/**
 * The number of characters that are segmented into words. Segmenting is a hundred times slower than a regular
 * expression, so the result for a longer text is extrapolated.
 */
const MAX_SEGMENTED = 100_000;

/**
 * Returns the number of words in a text. In Chinese, Japanese, Thai and similar scripts, finds the words by the rules
 * of Unicode.
 */
export function wordCount(text: string): number {
  const unspaced: string[] = [];
  const spaced = text.replace(UNSPACED, (run) => {
    unspaced.push(run);
    return ' ';
  });
  return segmentCount(unspaced.join(' ')) + spacedCount(spaced);
}

/**
 * The number of characters in which words are matched in one step. If a long text were matched in one step, a million
 * matches would be in memory at the same time.
 */
const MATCHED_AT_ONCE = 50_000;

function spacedCount(text: string): number {
  let words = 0;
  let end = 0;
  for (let at = 0; at < text.length; at = end) {
    const space = text.indexOf(' ', at + MATCHED_AT_ONCE);
    end = space === -1 ? text.length : space;
    words += text.slice(at, end).match(WORD)?.length ?? 0;
  }
  return words;
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
/**
 * The number of characters that are segmented in one step. It is small, because segmenting a long text in one step
 * takes five times as long.
 */
const PIECE = 500;

function segmentCount(text: string): number {
  const start = text.slice(0, MAX_SEGMENTED);
  let words = 0;
  for (let at = 0; at < start.length; at += PIECE) {
    for (const { isWordLike } of segmenter.segment(start.slice(at, at + PIECE))) {
      words += isWordLike === true ? 1 : 0;
    }
  }
  return start.length === 0 ? 0 : Math.round((words * text.length) / start.length);
}
