import process from 'node:process';
import { text } from 'node:stream/consumers';

import password from '@inquirer/password';

import { UsageError } from './usage.error.js';

/** Answers go to standard output, alone, so that they can be piped. */
export const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Messages for the person go to standard error. */
export const tell = (message: string): void => {
  process.stderr.write(`${message}\n`);
};

export const printJson = (value: unknown): void => {
  print(JSON.stringify(value));
};

/** Reads a new password from a prompt that shows nothing, asked twice; or from standard input when that is a pipe. */
export async function readNewPassword(): Promise<string> {
  if (!process.stdin.isTTY) {
    return (await text(process.stdin)).replace(/\r?\n$/, '');
  }
  const first = await ask('Password:');
  if ((await ask('Again:')) !== first) {
    throw new UsageError('the two passwords differ');
  }
  return first;
}

const ask = (message: string): Promise<string> =>
  password({ message, mask: false }, { output: process.stderr });
