/** The minimum length of a made-up word. A shorter word with a digit, such as "Web3", may be a name. */
const FEWEST_CHARACTERS = 7;

/**
 * Returns true for a word with letters and digits, such as `hunter2`. Passwords often contain such a word, but titles
 * rarely do.
 */
export const isMadeUp = (word: string): boolean =>
  word.length >= FEWEST_CHARACTERS &&
  /^[^\s/#][^\s/]*$/.test(word) &&
  /\d\p{L}|\p{Ll}\d/u.test(word);
