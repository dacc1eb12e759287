import { Command, CommanderError } from 'commander';

import { reasonOf } from '../lib/util/reason.js';
import { tell, UsageError } from './terminal.js';

/** The exit statuses of a command. */
const DONE = 0;
const REFUSED = 1;
const USAGE = 2;

/**
 * The modules of the commands by noun. A command is loaded only when it is called, because most commands load half of
 * the service.
 */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => {
    const { serve } = await import('../app/serve.js');
    return new Command('serve').description('run the service').action(serve);
  },
  'consumer-key': async () => (await import('./consumer-key.commands.js')).consumerKeyCommand(),
  client: async () => (await import('./client.commands.js')).clientCommand(),
  'extension-key': async () => (await import('./extension-key.command.js')).extensionKeyCommand(),
  user: async () => (await import('./user.commands.js')).userCommand(),
  mail: async () => (await import('./mail.commands.js')).mailCommand(),
  import: async () => (await import('./import.command.js')).importCommand(),
  export: async () => (await import('./export.command.js')).exportCommand(),
  backup: async () => (await import('./backup.commands.js')).backupCommand(),
  restore: async () => (await import('./backup.commands.js')).restoreCommand(),
  resolve: async () => (await import('./resolve.commands.js')).resolveCommand(),
  migrate: async () => (await import('./migrate.commands.js')).migrateCommand(),
  doctor: async () => (await import('./doctor.command.js')).doctorCommand(),
};

/**
 * Returns the command line for administrators, `satchel <noun> <verb>`. If the noun is unknown, loads all commands to
 * show help and suggestions.
 */
async function programFor([noun = '']: readonly string[]): Promise<Command> {
  const program = new Command('satchel').description('a self-hosted reading list');
  const command = Object.hasOwn(COMMANDS, noun) ? COMMANDS[noun] : undefined;
  for (const load of command === undefined ? Object.values(COMMANDS) : [command]) {
    program.addCommand(await load());
  }
  return withThrownExits(program);
}

/**
 * Makes Commander throw an error instead of ending the process. The setting is necessary for the command and for each
 * subcommand.
 */
function withThrownExits(command: Command): Command {
  command.exitOverride().showHelpAfterError('(--help tells how it is called)');
  command.commands.forEach(withThrownExits);
  return command;
}

/**
 * Runs one command and returns the exit status. 0 means success, 1 means that the command failed, and 2 means wrong
 * usage.
 */
export async function runProgram(words: readonly string[]): Promise<number> {
  const program = await programFor(words);
  try {
    await program.parseAsync(words, { from: 'user' });
    return DONE;
  } catch (error) {
    if (error instanceof CommanderError) {
      return error.exitCode === DONE ? DONE : USAGE;
    }
    tell(`satchel: ${reasonOf(error)}`);
    return error instanceof UsageError ? USAGE : REFUSED;
  }
}
