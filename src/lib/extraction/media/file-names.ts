/**
 * Splits a file name without its extension into words. For example, "photo-320x200" and "photo2" each have one word.
 */
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
/** Matches a size in a file name. It does not match the size 1x1, because the name of a tracking pixel contains 1x1. */
const SIZE = /^(?!1x1$)\d+(?:px|x\d*)?$/u;

/** Returns true if a file name has at least one of `words`, and otherwise only `fillers`, numbers and sizes. */
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
