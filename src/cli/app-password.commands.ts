import { Command } from 'commander';

import { ApplicationPasswords } from '../auth/consumers/application-passwords.service.js';
import type { GrantedApplication } from '../auth/consumers/grant.repository.js';
import type { KeyState } from '../auth/consumers/key-state.js';
import { ALL_PERMISSIONS, Permission } from '../auth/consumers/permission.js';
import { UserAdministrationService } from '../auth/user-administration.service.js';
import {
  parseName,
  parsePermissions,
  parseValidDays,
  VALID_DAYS,
  VALID_DAYS_HELP,
} from './parsers.js';
import { withServices } from './services.js';
import { printEither, table, tell } from './terminal.js';

/**
 * Returns the command `satchel user app-password`, which manages passwords for e-readers and
 * wallabag apps (docs/use/opds.md).
 */
export function appPasswordCommand(): Command {
  const command = new Command('app-password').description(
    'the passwords of a user for e-readers and other apps',
  );
  return command.addCommand(createCommand()).addCommand(listCommand()).addCommand(revokeCommand());
}

interface NewPassword {
  readonly name: string;
  readonly permissions: Permission[];
  readonly loginName?: string;
  readonly validDays?: number;
  readonly json?: true;
}

function createCommand(): Command {
  return new Command('create')
    .argument('<email>')
    .description('make a password and print it; it is shown only this once')
    .option('--name <name>', 'what it is called', parseName, 'E-reader')
    .option(
      '--permissions <list>',
      `comma list of ${ALL_PERMISSIONS.join(', ')}`,
      parsePermissions,
      [Permission.Retrieve],
    )
    .option('--login-name <name>', 'what apps that refuse an @ send as the user name')
    .option(VALID_DAYS, VALID_DAYS_HELP, parseValidDays)
    .option('--json', 'print an object instead')
    .action(async (email: string, { json, ...details }: NewPassword) => {
      const password = await withServices(async (services) => {
        const user = await services.get(UserAdministrationService).find(email);
        return services.get(ApplicationPasswords).create(user, details);
      });
      printEither(json, { user: email, password, ...details }, () => password);
    });
}

function listCommand(): Command {
  return new Command('list')
    .argument('<email>')
    .description('list the passwords of a user (they themselves are not stored)')
    .option('--json', 'print an array of objects')
    .action(async (email: string, { json }: { json?: true }) => {
      const passwords = await withServices(async (services) => {
        const { id } = await services.get(UserAdministrationService).find(email);
        return services.get(ApplicationPasswords).list(id);
      });
      const rows = passwords.map(describe);
      printEither(json, rows, () =>
        table(
          ['id', 'name', 'login name', 'permissions', 'state', 'created', 'last used', 'expires'],
          rows.map((row) => Object.values(row).map(String)),
        ),
      );
    });
}

function revokeCommand(): Command {
  return new Command('revoke')
    .argument('<email>')
    .argument('<id>', 'its number in the list')
    .description('end a password; it counts from the next call on')
    .action(async (email: string, id: string) => {
      await withServices(async (services) => {
        const user = await services.get(UserAdministrationService).find(email);
        await services.get(ApplicationPasswords).revoke(user.id, id);
      });
      tell('revoked');
    });
}

interface DescribedPassword {
  readonly id: string;
  readonly name: string;
  /**
   * The user name that the password accepts in addition to the email address. Empty if the password
   * has no user name.
   */
  readonly loginName: string;
  readonly permissions: readonly string[];
  readonly state: KeyState;
  readonly created: string;
  /** The time at which an app last used the password, or `never`. */
  readonly lastUsed: string;
  /** The time from which on the password does not work any more, or `never`. */
  readonly expires: string;
}

const describe = (password: GrantedApplication): DescribedPassword => ({
  id: password.consumerKeyId,
  name: password.name,
  loginName: password.loginName ?? '',
  permissions: password.permissions,
  state: stateOf(password),
  created: password.since.toISOString(),
  lastUsed: password.lastUsedAt?.toISOString() ?? 'never',
  expires: password.expiresAt?.toISOString() ?? 'never',
});

function stateOf({ isDisabled, isExpired }: GrantedApplication): KeyState {
  if (isDisabled) {
    return 'disabled';
  }
  return isExpired ? 'expired' : 'enabled';
}
