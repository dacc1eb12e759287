import { wordCount } from '../extraction/text/word-count.js';

/** The words of a longer text are taken to be as dense as those of its start. */
const COUNTED_CHARACTERS = 1_000_000;

/** The number of words of a text of any length, in bounded time. */
export function documentWords(text: string): number {
  const counted = Math.min(text.length, COUNTED_CHARACTERS);
  const words = wordCount(text.slice(0, counted));
  return counted === 0 ? 0 : Math.round((words * text.length) / counted);
}
