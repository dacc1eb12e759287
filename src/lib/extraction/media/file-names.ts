/** Splits a file name without its extension into words. "photo-320x200" and "photo2" have one word each. */
function wordsOfFile(address: string): readonly string[] {
  const path = address.slice(0, LONGEST).split(/[?#]/u, 1)[0] ?? '';
  const file = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const name = file.replace(/\.[a-z]\w{1,4}$/u, '');
  return name
    .split(/[-_@\s]+/u)
    .filter((part) => part !== '' && !SIZE.test(part))
    .map((part) => /^([a-z]+)\d{1,4}$/u.exec(part)?.[1] ?? part);
}

const LONGEST = 4_096;
/** The size 1x1 is kept as a word: it names a tracking pixel. */
const SIZE = /^(?!1x1$)\d+(?:px|x\d*)?$/u;

/**
 * Returns true if a file name consists only of such words, `fillers`, numbers and sizes, and has at least one of the
 * words.
 */
export function isNamedOnly(
  address: string,
  words: ReadonlySet<string>,
  fillers: ReadonlySet<string> = new Set(),
): boolean {
  const said = wordsOfFile(address);
  return (
    said.some((word) => words.has(word)) &&
    said.every((word) => words.has(word) || fillers.has(word))
  );
}
