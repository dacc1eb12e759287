import process from 'node:process';
import { text } from 'node:stream/consumers';

import password from '@inquirer/password';
import { Argument, Command, Option } from 'commander';

import { Role, type User } from '../auth/entities/user.entity.js';
import { Invitations } from '../auth/links/invitations.js';
import { Registration } from '../auth/registration.js';
import { RegistrationService } from '../auth/registration.service.js';
import { UserAdministrationService } from '../auth/user-administration.service.js';
import { Config } from '../platform/config/config.js';
import { parseRequest } from '../pocket-api/parse-request.js';
import { appPasswordCommand } from './app-password.commands.js';
import { exportLibrary } from './export.command.js';
import { withService, withServices } from './services.js';
import { printEither, table, tell, UsageError } from './terminal.js';

const SIMPLE_VERBS = [
  { verb: 'disable', method: 'disable', does: 'refuse every login and end every session' },
  { verb: 'enable', method: 'enable', does: 'allow logins again' },
  { verb: 'sign-out', method: 'signOut', does: 'end every session and token' },
  {
    verb: 'verify-email',
    method: 'verifyEmail',
    does: 'let a user log in whom the mail that confirms the address does not reach',
  },
  {
    verb: 'reset-second-factor',
    method: 'resetSecondFactor',
    does: 'turn the second factor off, for a user who has lost app and recovery codes',
  },
  {
    verb: 'remove-passkeys',
    method: 'removePasskeys',
    does: 'remove all passkeys, for a user who has lost a device',
  },
] as const;

export function userCommand(): Command {
  const command = new Command('user').description('the accounts of people');
  command.addCommand(createCommand()).addCommand(listCommand()).addCommand(setPasswordCommand());
  command.addCommand(deleteCommand()).addCommand(setRoleCommand()).addCommand(inviteCommand());
  command.addCommand(resetLinkCommand()).addCommand(appPasswordCommand());
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

const ROLES = Object.values(Role);

interface NewUser {
  readonly email: string;
  readonly name: string;
  readonly role?: Role;
  readonly json?: true;
}

function createCommand(): Command {
  return new Command('create')
    .description('make an account; the password comes from a prompt or from standard input')
    .requiredOption('--email <email>')
    .requiredOption('--name <name>')
    .addOption(new Option('--role <role>', 'the first user is an administrator').choices(ROLES))
    .option('--json', 'print an object instead of the user id alone')
    .action(async ({ json, role, ...given }: NewUser) => {
      const registration = parseRequest(Registration, {
        ...given,
        password: await readNewPassword(),
      });
      const user = await withService(RegistrationService, (registrations) =>
        registrations.create(registration, role),
      );
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

function setRoleCommand(): Command {
  return new Command('set-role')
    .argument('<email>')
    .addArgument(new Argument('<role>').choices(ROLES))
    .description('let a user administer the service at /admin, or no longer')
    .action(async (email: string, role: Role) => {
      await withService(UserAdministrationService, (accounts) => accounts.setRole(email, role));
      tell('done');
    });
}

function inviteCommand(): Command {
  return new Command('invite')
    .description('print a link with which one person can create an account, within a week')
    .option('--email <email>', 'the link is for this address alone')
    .option('--json', 'print an object instead of the link alone')
    .action(async ({ email, json }: { email?: string; json?: true }) => {
      const link = await withServices(async (services) => {
        const {
          path,
          email: recipient = '',
          isMailed,
        } = await services.get(Invitations).make(email);
        if (isMailed) {
          tell(`it is also sent to ${recipient}`);
        }
        return `${addressOf(services.get(Config))}${path}`;
      });
      printEither(json, { link }, () => link);
    });
}

function resetLinkCommand(): Command {
  return new Command('reset-link')
    .argument('<email>')
    .description('print a link with which the user chooses a new password, once, within a day')
    .option('--json', 'print an object instead of the link alone')
    .action(async (email: string, { json }: { json?: true }) => {
      const link = await withServices(async (services) => {
        const path = await services.get(UserAdministrationService).resetPath(email);
        return `${addressOf(services.get(Config))}${path}`;
      });
      printEither(json, { link }, () => link);
    });
}

/** Returns the public address of the service, or its listen address if PUBLIC_URL is not set. */
function addressOf({ publicUrl, host, port }: Config): string {
  const name = host.includes(':') ? `[${host}]` : host;
  return (publicUrl?.href ?? `http://${name}:${port}`).replace(/(?<!\/)\/+$/, '');
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
          ['id', 'email', 'name', 'role', 'state', 'created'],
          described.map((user) => Object.values(user).map(String)),
        ),
      );
    });
}

interface DescribedUser {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly state: 'enabled' | 'disabled';
  readonly created: string;
}

const describe = (user: User): DescribedUser => ({
  id: user.id,
  email: user.email,
  name: user.name,
  role: user.role,
  state: user.disabledAt === null ? 'enabled' : 'disabled',
  created: user.createdAt.toISOString(),
});

/**
 * Reads a new password from standard input. On a terminal, asks twice and does not show the
 * password.
 *
 * @throws UsageError if the two passwords differ.
 */
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
