/**
 * Returns the words of the file name in an address, without the extension. Sizes and numbers do not count as words:
 * "photo-320x200" and "photo2" have one word each.
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
/** Matches a size in a file name, such as 320x200. Does not match 1x1, which identifies a tracking pixel. */
const SIZE = /^(?!1x1$)\d+(?:px|x\d*)?$/u;

/** Returns true if a file name contains one of `words`, and no other words except `fillers`, numbers and sizes. */
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
