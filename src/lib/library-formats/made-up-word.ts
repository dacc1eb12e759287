/** Shorter words with a digit, such as "Web3", are names. */
const FEWEST_CHARACTERS = 7;

/** True for a word such as `hunter2`, which titles rarely have: letters and digits by turns. */
export const isMadeUp = (word: string): boolean =>
  word.length >= FEWEST_CHARACTERS &&
  /^[^\s/#][^\s/]*$/.test(word) &&
  /\d\p{L}|\p{Ll}\d/u.test(word);
