import { Command, CommanderError } from 'commander';

import { serve } from '../serve.js';
import { backupCommand, restoreCommand } from './backup.commands.js';
import { consumerKeyCommand } from './consumer-key.commands.js';
import { doctorCommand } from './doctor.command.js';
import { exportCommand } from './export.command.js';
import { importCommand } from './import.command.js';
import { migrateCommand } from './migrate.commands.js';
import { resolveCommand } from './resolve.commands.js';
import { tell, UsageError } from './terminal.js';
import { userCommand } from './user.commands.js';

/** Exit statuses. */
const DONE = 0;
const REFUSED = 1;
const USAGE = 2;

/** The administrator's command line: `satchel <noun> <verb>`. */
export function buildProgram(): Command {
  const program = new Command('satchel')
    .description('a self-hosted reading list')
    .addCommand(new Command('serve').description('run the service').action(serve))
    .addCommand(consumerKeyCommand())
    .addCommand(userCommand())
    .addCommand(importCommand())
    .addCommand(exportCommand())
    .addCommand(backupCommand())
    .addCommand(restoreCommand())
    .addCommand(resolveCommand())
    .addCommand(migrateCommand())
    .addCommand(doctorCommand());
  return withThrownExits(program);
}

/** Commander ends the process by itself, and does so for each command apart, unless it is told to throw. */
function withThrownExits(command: Command): Command {
  command.exitOverride().showHelpAfterError('(--help tells how it is called)');
  command.commands.forEach(withThrownExits);
  return command;
}

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
