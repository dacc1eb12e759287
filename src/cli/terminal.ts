import process from 'node:process';

import Table from 'cli-table3';

/** The file name that means standard output. */
export const STANDARD_OUTPUT = '-';

const NO_LINES = Object.fromEntries(
  ['top', 'bottom', 'left', 'right', 'mid'].flatMap((side) =>
    ['', '-mid', '-left', '-right'].map((corner) => [`${side}${corner}`, '']),
  ),
);

/** The command line is invalid. The exit status is 2. */
export class UsageError extends Error {}

/** Writes a message for the person to standard error. */
export const tell = (message: string): void => {
  process.stderr.write(`${message}\n`);
};

/**
 * Writes the result to standard output, as JSON for programs or as text for people. Standard output contains nothing
 * else, so the result can be piped.
 */
export const printEither = (json: true | undefined, value: unknown, asText: () => string): void => {
  process.stdout.write(`${json ? JSON.stringify(value) : asText()}\n`);
};

/** Formats a table for people, with a head and rows but without lines. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const plain = new Table({
    head: [...head],
    chars: { ...NO_LINES, middle: '  ' },
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
  });
  plain.push(...rows.map((row) => row.map(visible)));
  return plain.toString().replaceAll(/(?<! ) +$/gm, '');
}

/** Replaces control characters, which a terminal would execute. */
const visible = (text: string): string => text.replaceAll(/\p{C}/gu, '\uFFFD');
