/** Scripts that put no spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;
const WORD = /[\p{L}\p{N}\p{M}]+(?:['’][\p{L}\p{N}\p{M}]+)*/gu;

/** Segmenting is a hundred times dearer than matching; a book has 100,000 words. */
const MAX_SEGMENTED = 500_000;

/** The number of words; those of Chinese, Japanese, Thai and their like by the rules of Unicode. */
export function wordCount(text: string): number {
  let unspaced = 0;
  const spaced = text.replace(UNSPACED, (run) => {
    unspaced += segments(run);
    return ' ';
  });
  return unspaced + (spaced.match(WORD)?.length ?? 0);
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

function segments(run: string): number {
  let words = 0;
  for (const { isWordLike } of segmenter.segment(run.slice(0, MAX_SEGMENTED))) {
    words += isWordLike === true ? 1 : 0;
  }
  return words;
}
