import process from 'node:process';
import { text } from 'node:stream/consumers';

import password from '@inquirer/password';
import { Command } from 'commander';

import { AccountsService } from '../auth/accounts.service.js';
import type { User } from '../auth/entities/user.entity.js';
import { Registration } from '../auth/registration.js';
import { UserAdministrationService } from '../auth/user-administration.service.js';
import { parseRequest } from '../common/parse-request.js';
import { exportLibrary } from './export.command.js';
import { withService, withServices } from './services.js';
import { printEither, table, tell, UsageError } from './terminal.js';

const SIMPLE_VERBS = [
  { verb: 'disable', method: 'disable', does: 'refuse every login and end every session' },
  { verb: 'enable', method: 'enable', does: 'allow logins again' },
  { verb: 'sign-out', method: 'signOut', does: 'end every session and token' },
] as const;

export function userCommand(): Command {
  const command = new Command('user').description('the accounts of people');
  command.addCommand(createCommand()).addCommand(listCommand()).addCommand(setPasswordCommand());
  command.addCommand(deleteCommand());
  for (const { verb, method, does } of SIMPLE_VERBS) {
    command
      .command(`${verb} <email>`)
      .description(does)
      .action(async (email: string) => {
        await withService(UserAdministrationService, (accounts) => accounts[method](email));
        tell('done');
      });
  }
  return command;
}

function createCommand(): Command {
  return new Command('create')
    .description('make an account; the password comes from a prompt or from standard input')
    .requiredOption('--email <email>')
    .requiredOption('--name <name>')
    .option('--json', 'print an object instead of the user id alone')
    .action(async ({ json, ...given }: { email: string; name: string; json?: true }) => {
      const registration = parseRequest(Registration, {
        ...given,
        password: await readNewPassword(),
      });
      const user = await withService(AccountsService, (service) => service.register(registration));
      printEither(json, describe(user), () => user.id);
    });
}

function setPasswordCommand(): Command {
  return new Command('set-password')
    .argument('<email>')
    .description(
      'change a password and end every session; it comes from a prompt or from standard input',
    )
    .action(async (email: string) => {
      const password = await readNewPassword();
      await withService(UserAdministrationService, (accounts) =>
        accounts.setPassword(email, password),
      );
      tell('done');
    });
}

function deleteCommand(): Command {
  return new Command('delete')
    .argument('<email>')
    .description('remove the account and everything that belongs to it')
    .option('--export <file>', 'first write the library, with its articles, to a new file')
    .action(async (email: string, { export: path }: { export?: string }) => {
      await withServices(async (services) => {
        if (path !== undefined) {
          const everything = { format: 'jsonl', withArticles: true, force: false } as const;
          await exportLibrary(services, { email, path, ...everything });
        }
        await services.get(UserAdministrationService).delete(email);
      });
      tell('done');
    });
}

function listCommand(): Command {
  return new Command('list')
    .description('list the accounts')
    .option('--json', 'print an array of objects')
    .action(async ({ json }: { json?: true }) => {
      const users = await withService(UserAdministrationService, (accounts) => accounts.list());
      const described = users.map(describe);
      printEither(json, described, () =>
        table(
          ['id', 'email', 'name', 'state', 'created'],
          described.map((user) => Object.values(user).map(String)),
        ),
      );
    });
}

interface DescribedUser {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly state: 'enabled' | 'disabled';
  readonly created: string;
}

const describe = (user: User): DescribedUser => ({
  id: user.id,
  email: user.email,
  name: user.name,
  state: user.disabledAt === null ? 'enabled' : 'disabled',
  created: user.createdAt.toISOString(),
});

/** Reads a new password from a prompt that shows nothing, asked twice; or from standard input when that is a pipe. */
async function readNewPassword(): Promise<string> {
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
