import Table from 'cli-table3';

const NO_LINES = Object.fromEntries(
  ['top', 'bottom', 'left', 'right', 'mid'].flatMap((side) =>
    ['', '-mid', '-left', '-right'].map((corner) => [`${side}${corner}`, '']),
  ),
);

/** A plain table for people: a head, rows, no lines. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const plain = new Table({
    head: [...head],
    chars: { ...NO_LINES, middle: '  ' },
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
  });
  plain.push(...rows.map((row) => row.map(visible)));
  return plain.toString().replaceAll(/ +$/gm, '');
}

/** A name may hold control characters, which a terminal would obey. */
const visible = (text: string): string => text.replaceAll(/\p{C}/gu, '\uFFFD');
