/** The minimum number of characters of a made-up word. Shorter words with a digit, such as "Web3", are names. */
const FEWEST_CHARACTERS = 7;

/** Returns true for a word that mixes letters and digits, such as `hunter2`. Titles rarely contain such words. */
export const isMadeUp = (word: string): boolean =>
  word.length >= FEWEST_CHARACTERS &&
  /^[^\s/#][^\s/]*$/.test(word) &&
  /\d\p{L}|\p{Ll}\d/u.test(word);
