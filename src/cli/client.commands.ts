import { Command } from 'commander';

import { ClientsService, type IssuedClient } from '../auth/consumers/clients.service.js';
import { ConsumerKeysService } from '../auth/consumers/consumer-keys.service.js';
import type { ConsumerKey } from '../auth/consumers/entities/consumer-key.entity.js';
import { type KeyState, keyStateOf } from '../auth/consumers/key-state.js';
import { ALL_PERMISSIONS, type Permission } from '../auth/consumers/permission.js';
import type { PersonalKeyDetails } from '../auth/consumers/personal-keys.service.js';
import { UserAdministrationService } from '../auth/user-administration.service.js';
import { Clock } from '../platform/common/clock.js';
import {
  parseName,
  parsePermissions,
  parseValidDays,
  VALID_DAYS,
  VALID_DAYS_HELP,
} from './parsers.js';
import { withService, withServices } from './services.js';
import { printEither, table, tell } from './terminal.js';

const REFERENCE = '<client>';
const REFERENCE_HELP = 'its number, or the client ID';

export function clientCommand(): Command {
  const command = new Command('client').description('the clients of apps made for wallabag');
  command.addCommand(createCommand()).addCommand(listCommand());
  for (const verb of ['disable', 'enable', 'delete'] as const) {
    command
      .command(`${verb} ${REFERENCE}`)
      .description(`${verb} a client; it counts from the next call on (${REFERENCE_HELP})`)
      .action(async (reference: string) => {
        await withServices(async (services) => {
          const id = await services.get(ClientsService).idOf(reference);
          await services.get(ConsumerKeysService)[verb](id);
        });
        tell(`${verb}d`);
      });
  }
  return command;
}

interface NewClient {
  readonly email?: string;
  readonly name: string;
  readonly permissions: Permission[];
  readonly validDays?: number;
  readonly json?: true;
}

function createCommand(): Command {
  return new Command('create')
    .description('make a client and print its ID and its secret; they are shown only this once')
    .option('--email <email>', 'the user whose client it is; without it all users may use it')
    .option('--name <name>', 'what it is called', parseName, 'wallabag app')
    .option('--permissions <list>', `comma list of ${ALL_PERMISSIONS.join(', ')}`, parsePermissions)
    .option(VALID_DAYS, VALID_DAYS_HELP, parseValidDays)
    .option('--json', 'print an object instead')
    .action(async ({ json, permissions = [...ALL_PERMISSIONS], ...others }: Partial<NewClient>) => {
      const { email, name = '', validDays } = others;
      const details = { name, permissions, validDays };
      const { clientId, clientSecret, stored } = await create(email, details);
      const about = describe(stored, email ?? 'all');
      const shown = { client_id: clientId, client_secret: clientSecret, ...about };
      printEither(json, shown, () => `client ID: ${clientId}\nclient secret: ${clientSecret}`);
    });
}

const create = (email: string | undefined, details: PersonalKeyDetails): Promise<IssuedClient> =>
  withServices(async (services) => {
    const clients = services.get(ClientsService);
    return email === undefined
      ? clients.createShared(details)
      : clients.create(await services.get(UserAdministrationService).find(email), details);
  });

function listCommand(): Command {
  return new Command('list')
    .description('list the clients (their secrets are not stored)')
    .option('--json', 'print an array of objects')
    .action(async ({ json }: { json?: true }) => {
      const clients = await withService(ClientsService, (all) => all.list());
      const rows = clients.map((client) => describe(client));
      printEither(json, rows, () =>
        table(
          ['id', 'name', 'permissions', 'user', 'state', 'created', 'expires'],
          rows.map((row) => Object.values(row).map(String)),
        ),
      );
    });
}

interface DescribedClient {
  readonly id: string;
  readonly name: string;
  readonly permissions: readonly string[];
  /** The email address of the client's owner, or `all` if every user can use the client. */
  readonly user: string;
  readonly state: KeyState;
  readonly created: string;
  /** The time from which on the client does not work any more, or `never`. */
  readonly expires: string;
}

const describe = (client: ConsumerKey, user = client.owner?.email ?? 'all'): DescribedClient => ({
  id: client.id,
  name: client.name,
  permissions: client.permissions,
  user,
  state: keyStateOf(client, new Clock().now()),
  created: client.createdAt.toISOString(),
  expires: client.expiresAt?.toISOString() ?? 'never',
});
