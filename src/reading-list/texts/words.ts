import { folded } from '../list/item-texts.js';

/** Matches a run of letters, digits and combining marks. All other characters separate words. */
const RUN = /[\p{L}\p{N}\p{M}]+/gu;
/** Matches characters of scripts that have no spaces between words, such as Chinese. */
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]+/gu;
/**
 * Matches a Latin or Greek letter with its accents. Searches ignore these accents, because many people do not type
 * accents. Marks of other scripts are kept, because they are part of the letter.
 */
const ACCENTS = /([\p{sc=Latin}\p{sc=Greek}])\p{Mn}+/gu;
const ASCII = /^[a-z0-9]+$/;
const LONGEST_WORD = 64;

/**
 * Returns the form of a text in which words are compared: in lower case, without the accents of Latin and Greek
 * letters, and with only one Unicode encoding for each letter.
 */
export const foldedForWords = (text: string): string =>
  folded(text.normalize('NFKC')).normalize('NFD').replaceAll(ACCENTS, '$1').normalize('NFC');

/**
 * Returns the words of a text, in order. In scripts without spaces, each pair of adjacent characters is treated as a
 * word.
 */
export const wordsOf = (text: string): string[] =>
  (foldedForWords(text).match(RUN) ?? []).flatMap((run) =>
    ASCII.test(run) ? shortened(run) : wordsOfRun(run),
  );

function wordsOfRun(run: string): string[] {
  const words: string[] = [];
  let end = 0;
  for (const { 0: unspaced, index } of run.matchAll(UNSPACED)) {
    words.push(run.slice(end, index), ...pairsOf(unspaced));
    end = index + unspaced.length;
  }
  return [...words, run.slice(end)].filter((word) => word !== '').map(shortened);
}

const shortened = (word: string): string =>
  word.length <= LONGEST_WORD ? word : word.slice(0, LONGEST_WORD).toWellFormed();

function pairsOf(text: string): string[] {
  const letters = Array.from(text);
  return letters.length === 1
    ? letters
    : letters.slice(1).map((next, at) => `${letters[at]}${next}`);
}
