import { Command, CommanderError } from 'commander';

import { reasonOf } from '../lib/util/reason.js';
import { FileIsThereError } from '../lib/util/whole-file.js';
import { tell, UsageError } from './terminal.js';

/** The exit statuses of the program `satchel`. */
const DONE = 0;
const REFUSED = 1;
const USAGE = 2;

/**
 * The commands, keyed by their first word. Each command is imported on demand, because most
 * commands import half of the service.
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
  authority: async () => (await import('./authority.commands.js')).authorityCommand(),
  backup: async () => (await import('./backup.commands.js')).backupCommand(),
  restore: async () => (await import('./backup.commands.js')).restoreCommand(),
  resolve: async () => (await import('./resolve.commands.js')).resolveCommand(),
  migrate: async () => (await import('./migrate.commands.js')).migrateCommand(),
  doctor: async () => (await import('./doctor/doctor.command.js')).doctorCommand(),
};

/**
 * Returns the program for a command line `satchel <noun> <verb>`. Loads only the commands of the
 * noun, or all commands if the noun is unknown, because the help text lists all commands.
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
 * Makes a command and its subcommands throw errors. Otherwise, the Commander library would end the
 * process.
 */
function withThrownExits(command: Command): Command {
  command.exitOverride().showHelpAfterError('(--help tells how it is called)');
  command.commands.forEach(withThrownExits);
  return command;
}

/** Runs one command and returns the exit status: 0 for success, 1 for a failed command, 2 for wrong usage. */
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
    return error instanceof UsageError || error instanceof FileIsThereError ? USAGE : REFUSED;
  }
}
