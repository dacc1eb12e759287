import process from 'node:process';

import Table from 'cli-table3';

/** How standard output is called where a file may be. */
export const STANDARD_OUTPUT = '-';

const NO_LINES = Object.fromEntries(
  ['top', 'bottom', 'left', 'right', 'mid'].flatMap((side) =>
    ['', '-mid', '-left', '-right'].map((corner) => [`${side}${corner}`, '']),
  ),
);

/** The command line was called in a way it does not understand: exit status 2. */
export class UsageError extends Error {}

/** Messages for the person go to standard error. */
export const tell = (message: string): void => {
  process.stderr.write(`${message}\n`);
};

/** Answers go to standard output, alone, so that they can be piped: JSON for programs, text for people. */
export const printEither = (json: true | undefined, value: unknown, asText: () => string): void => {
  process.stdout.write(`${json ? JSON.stringify(value) : asText()}\n`);
};

/** A plain table for people: a head, rows, no lines. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const plain = new Table({
    head: [...head],
    chars: { ...NO_LINES, middle: '  ' },
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
  });
  plain.push(...rows.map((row) => row.map(visible)));
  return plain.toString().replaceAll(/(?<! ) +$/gm, '');
}

/** A name may hold control characters, which a terminal would obey. */
const visible = (text: string): string => text.replaceAll(/\p{C}/gu, '\uFFFD');
