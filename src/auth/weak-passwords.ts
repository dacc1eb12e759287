/** Data about a user that an attacker may know and use to guess the user's password. */
export interface PasswordOwner {
  /** The email address in its canonical form. */
  readonly email: string;
  /** The name of the user. Undefined if the caller does not know the name. */
  readonly name?: string;
}

const PRODUCT = 'satchel';
/**
 * The minimum length of a part of the name or email address that is searched for in a password.
 * Shorter parts occur in many passwords by chance.
 */
const MIN_WORD = 3;
/**
 * The minimum number of letters and digits in a password, not counting words that an attacker tries
 * first, such as the user's name.
 */
const MIN_REST = 6;
const MIN_CHARACTERS = 4;
const MIN_REPEATS = 3;

/**
 * Returns true if a password consists mostly of the product name and words from the user's name or email address (NIST
 * SP 800-63B, section 3.1.1.2).
 */
export function isGuessable(password: string, owner: PasswordOwner): boolean {
  const folded = fold(password);
  const rest = knownWords(owner).reduce((left, word) => left.replaceAll(word, ''), folded);
  return rest !== folded && Array.from(rest.replaceAll(/[^\p{L}\p{N}]/gu, '')).length < MIN_REST;
}

/**
 * Returns true if a password has fewer than four different characters, or if it consists of one
 * text that is repeated at least three times.
 */
export function isRepetitive(password: string): boolean {
  const characters = Array.from(password);
  return new Set(characters).size < MIN_CHARACTERS || repeatsOf(characters) >= MIN_REPEATS;
}

/**
 * Returns how often a text repeats its shortest repeated part: 3 for `abcabcabc`, 1 for a text
 * without repetition.
 */
function repeatsOf(characters: readonly string[]): number {
  const { length } = characters;
  const isPeriod = (period: number): boolean =>
    characters.every((character, at) => character === characters[at % period]);
  const periods = Array.from({ length }, (_, at) => at + 1);
  return Math.floor(length / (periods.find(isPeriod) ?? length));
}

/**
 * Returns words from the user's data that an attacker may know. The caller removes them from the
 * password in this order. Longer words come first, so that a shorter word does not remove only a
 * part of a longer one.
 */
function knownWords({ email, name = '' }: PasswordOwner): readonly string[] {
  const [local = ''] = email.split('@');
  const parts = [local, name].flatMap((text) => text.split(SEPARATOR));
  return [email, local, name, PRODUCT, ...parts]
    .map(fold)
    .filter((word) => Array.from(word).length >= MIN_WORD)
    .toSorted((one, other) => other.length - one.length);
}

const SEPARATOR = /[^\p{L}\p{N}]+/u;

const fold = (text: string): string => text.normalize('NFKC').toLowerCase();
