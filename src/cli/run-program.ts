import { type Command, CommanderError } from 'commander';

import { tell } from './terminal.js';
import { UsageError } from './usage.error.js';

const DONE = 0;
const REFUSED = 1;
const USAGE = 2;

/** Runs one command and gives the exit status: 0 done, 1 refused, 2 called wrongly. */
export async function runProgram(program: Command, words: readonly string[]): Promise<number> {
  try {
    await program.parseAsync(words, { from: 'user' });
    return DONE;
  } catch (error) {
    if (error instanceof CommanderError) {
      return error.exitCode === DONE ? DONE : USAGE;
    }
    tell(`satchel: ${error instanceof Error ? error.message : String(error)}`);
    return error instanceof UsageError ? USAGE : REFUSED;
  }
}
