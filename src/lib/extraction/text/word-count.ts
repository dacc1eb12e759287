/** Matches text in writing systems without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;
const WORD = /[\p{L}\p{N}\p{M}]+(?:['’][\p{L}\p{N}\p{M}]+)*/gu;

/**
 * The maximum number of characters that are split into words by the rules of Unicode. Splitting is a hundred times
 * slower than a regular expression, so the word count of a longer text is extrapolated.
 */
const MAX_SEGMENTED = 100_000;

/**
 * Returns the number of words in a text. Words in Chinese, Japanese, Thai and similar writing systems are found by the
 * rules of Unicode, because no spaces separate them.
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
 * The number of characters in which words are matched in one step. The number is limited, because a million matches of
 * a long text would otherwise be in memory at the same time.
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
 * The number of characters that are split into words in one step. The number is small, because the same text takes five
 * times as long in one long step.
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
