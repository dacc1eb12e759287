import { Command, Option } from 'commander';

import type { ConsumerKeyDetails } from '../auth/consumers/consumer-key.repository.js';
import { ConsumerKeysService } from '../auth/consumers/consumer-keys.service.js';
import {
  type ConsumerKey,
  Dialect,
  type PageSize,
} from '../auth/consumers/entities/consumer-key.entity.js';
import { type KeyState, keyStateOf } from '../auth/consumers/key-state.js';
import { ALL_PERMISSIONS } from '../auth/consumers/permission.js';
import { Clock } from '../platform/common/clock.js';
import {
  parseForeignKey,
  parseName,
  parsePageSize,
  parsePermissions,
  parseValidDays,
  VALID_DAYS,
  VALID_DAYS_HELP,
} from './parsers.js';
import { withService } from './services.js';
import { printEither, table, tell, UsageError } from './terminal.js';

const dialect = (): Option =>
  new Option('--dialect <dialect>', 'how answers look').choices(Object.values(Dialect));
const MAX_COUNT = '--max-count <count>';
const MAX_COUNT_HELP =
  'items in a page at most: up to 5000; all: also where a client does not say; default: what the dialect says';
const PERMISSIONS = '--permissions <list>';
const PERMISSIONS_HELP = `comma list of ${ALL_PERMISSIONS.join(', ')}`;
const REFERENCE = '<key>';
const REFERENCE_HELP = 'its id, or the key itself';

export function consumerKeyCommand(): Command {
  const command = new Command('consumer-key').description('the keys of client applications');
  command.addCommand(createCommand()).addCommand(listCommand()).addCommand(updateCommand());
  for (const verb of ['disable', 'enable', 'delete'] as const) {
    command
      .command(`${verb} ${REFERENCE}`)
      .description(`${verb} a key; it counts from the next call on (${REFERENCE_HELP})`)
      .action(async (reference: string) => {
        await withService(ConsumerKeysService, (keys) => keys[verb](reference));
        tell(`${verb}d`);
      });
  }
  return command;
}

/** The options for a consumer key. The option `--max-count` sets both properties of `PageSize`. */
type KeyOptions = Omit<ConsumerKeyDetails, keyof PageSize> & { readonly maxCount?: PageSize };

interface NewKey extends KeyOptions {
  readonly key?: string;
  readonly validDays?: number;
  readonly json?: true;
}

function createCommand(): Command {
  return new Command('create')
    .description('make a key and print it; it is shown only this once')
    .requiredOption('--name <name>', 'what the application is called', parseName)
    .requiredOption(PERMISSIONS, PERMISSIONS_HELP, parsePermissions)
    .addOption(dialect().default(Dialect.Standard))
    .option(MAX_COUNT, MAX_COUNT_HELP, parsePageSize)
    .option('--key <key>', 'one that an application or a device has compiled in', parseForeignKey)
    .option(VALID_DAYS, VALID_DAYS_HELP, parseValidDays)
    .option('--json', 'print an object instead of the key alone')
    .action(async ({ json, key: foreign, validDays, maxCount, ...others }: NewKey) => {
      const details = { ...others, ...maxCount };
      const { key, stored } = await withService(ConsumerKeysService, (keys) =>
        keys.create(details, { adopted: foreign, validDays }),
      );
      printEither(json, { key, ...describe(stored) }, () => key);
    });
}

const HEAD = ['id', 'name', 'permissions', 'dialect', 'max-count', 'state', 'created', 'expires'];

function listCommand(): Command {
  return new Command('list')
    .description('list the keys of applications (they themselves are not stored)')
    .option('--personal', 'the personal keys of users instead, with their owners')
    .option('--json', 'print an array of objects')
    .action(async ({ json, personal }: { json?: true; personal?: true }) => {
      const keys = await withService(ConsumerKeysService, (all) =>
        personal ? all.listPersonal() : all.list(),
      );
      const rows = keys.map((key) => ({
        ...describe(key),
        ...(key.owner && { owner: key.owner.email }),
      }));
      printEither(json, rows, () =>
        table(
          personal ? [...HEAD, 'owner'] : HEAD,
          rows.map((row) => Object.values(row).map(String)),
        ),
      );
    });
}

function updateCommand(): Command {
  return new Command('update')
    .argument(REFERENCE, REFERENCE_HELP)
    .description('change what a key is called, what it may do, how it is answered')
    .option('--name <name>', 'what the application is called', parseName)
    .option(PERMISSIONS, PERMISSIONS_HELP, parsePermissions)
    .addOption(dialect())
    .option(MAX_COUNT, MAX_COUNT_HELP, parsePageSize)
    .action(async (reference: string, { maxCount, ...others }: Partial<KeyOptions>) => {
      const changes = { ...others, ...maxCount };
      if (Object.keys(changes).length === 0) {
        throw new UsageError('say what to change: --name, --permissions, --dialect or --max-count');
      }
      await withService(ConsumerKeysService, (keys) => keys.update(reference, changes));
      tell('updated');
    });
}

interface DescribedKey {
  readonly id: string;
  readonly name: string;
  readonly permissions: readonly string[];
  readonly dialect: string;
  /** The maximum number of items in a response, as the option `--max-count` accepts it. */
  readonly maxCount: number | 'all' | 'default';
  readonly state: KeyState;
  readonly created: string;
  /** The time from which on the key does not work any more, or `never`. */
  readonly expires: string;
}

const describe = (key: ConsumerKey): DescribedKey => ({
  id: key.id,
  name: key.name,
  permissions: key.permissions,
  dialect: key.dialect,
  maxCount: key.defaultCount === null ? (key.maxCount ?? 'default') : 'all',
  state: keyStateOf(key, new Clock().now()),
  created: key.createdAt.toISOString(),
  expires: key.expiresAt?.toISOString() ?? 'never',
});
