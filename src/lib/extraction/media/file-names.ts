import { parsedUrl } from '../../util/parsed-url.js';

/**
 * Returns the words of the file name in an address, without the extension. Ignores sizes and numbers: the only word of
 * both "photo-320x200" and "photo2" is "photo".
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
/** Matches a size in a file name, such as 320x200. Does not match 1x1, because 1x1 is the size of tracking pixels. */
const SIZE = /^(?!1x1$)\d+(?:px|x\d*)?$/u;

/**
 * Returns true if a file name contains one of `words`, and no other words except those in `fillers`. Ignores numbers
 * and sizes.
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

/**
 * Returns the file name of a picture without a size such as `-320x200`. The different sizes of one
 * picture then have the same file name.
 */
export function fileNameOf(src: string): string {
  const path = parsedUrl(src)?.pathname ?? '';
  return (path.split('/').at(-1) ?? '').replace(/-\d+x\d+(?=\.\w+$)/u, '');
}
