import process from 'node:process';

import Table from 'cli-table3';

/** The file name that means standard output. */
export const STANDARD_OUTPUT = '-';

const NO_LINES = Object.fromEntries(
  ['top', 'bottom', 'left', 'right', 'mid'].flatMap((side) =>
    ['', '-mid', '-left', '-right'].map((corner) => [`${side}${corner}`, '']),
  ),
);

/** Thrown if the command line is invalid. The program then exits with status 2. */
export class UsageError extends Error {}

/** Writes a message to standard error, because standard output must contain only the result. */
export const tell = (message: string): void => {
  process.stderr.write(`${message}\n`);
};

/** Writes the result of a command to standard output, as JSON for programs or as text for people. */
export const printEither = (json: true | undefined, value: unknown, asText: () => string): void => {
  process.stdout.write(`${json ? JSON.stringify(value) : asText()}\n`);
};

/** Formats a table for people. The table has a header row and no borders. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const plain = new Table({
    head: [...head],
    chars: { ...NO_LINES, middle: '  ' },
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
  });
  plain.push(...rows.map((row) => row.map(visible)));
  return plain.toString().replaceAll(/(?<! ) +$/gm, '');
}

/** Replaces control characters, because a terminal could interpret them as commands. */
const visible = (text: string): string => text.replaceAll(/\p{C}/gu, '\uFFFD');
