/** The name of a file without its kind, and the words that it is made of: "photo-320x200" and "photo2" have one. */
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
/** A picture of one dot is named for it. */
const SIZE = /^(?!1x1$)\d+(?:px|x\d*)?$/u;

/** Whether a file is named with such words alone, and what may stand beside them: `fillers`, a number, a size. */
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
