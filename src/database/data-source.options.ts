import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions.js';

import { RefreshToken } from '../auth/entities/refresh-token.entity.js';
import { RotatedRefreshToken } from '../auth/entities/rotated-refresh-token.entity.js';
import { User } from '../auth/entities/user.entity.js';
import { ConsumerKey } from '../consumers/entities/consumer-key.entity.js';
import { Grant } from '../consumers/entities/grant.entity.js';
import { AuthorizationRequest } from '../oauth/entities/authorization-request.entity.js';
import { Annotation } from '../reading-list/entities/annotation.entity.js';
import { Item } from '../reading-list/entities/item.entity.js';
import { List } from '../reading-list/entities/list.entity.js';
import { Tag } from '../reading-list/entities/tag.entity.js';
import { CallCounter } from '../throttling/entities/call-counter.entity.js';
import { ThrottleCounter } from '../throttling/entities/throttle-counter.entity.js';
import type { Connection } from './connection.js';
import { CreateAccounts1763700000000 } from './migrations/1763700000000-create-accounts.js';
import { CreateThrottleCounters1763700100000 } from './migrations/1763700100000-create-throttle-counters.js';
import { CreateConsumerKeys1763700200000 } from './migrations/1763700200000-create-consumer-keys.js';
import { CreateReadingLists1763800000000 } from './migrations/1763800000000-create-reading-lists.js';
import { CreatePages1763900000000 } from './migrations/1763900000000-create-pages.js';
import { PostponePageRequests1763900100000 } from './migrations/1763900100000-postpone-page-requests.js';
import { OrderPostponedPageRequests1763900200000 } from './migrations/1763900200000-order-postponed-page-requests.js';
import { CreateGrants1764000000000 } from './migrations/1764000000000-create-grants.js';
import { IndexResolvedUrls1764100000000 } from './migrations/1764100000000-index-resolved-urls.js';
import { CreateAnnotations1764100100000 } from './migrations/1764100100000-create-annotations.js';
import { CreateCallCounters1764300000000 } from './migrations/1764300000000-create-call-counters.js';
import { CreateSentPages1764300100000 } from './migrations/1764300100000-create-sent-pages.js';
import { CreateImports1764400000000 } from './migrations/1764400000000-create-imports.js';
import { SpeedSearchGrams1764400100000 } from './migrations/1764400100000-speed-search-grams.js';
import { CountEndedReaders1765000100000 } from './migrations/1765000100000-count-ended-readers.js';
import { CreatePageQuotas1765100100000 } from './migrations/1765100100000-create-page-quotas.js';
import { CreatePageCursors1765200100000 } from './migrations/1765200100000-create-page-cursors.js';
import { CreateSyncEras1765201100000 } from './migrations/1765201100000-create-sync-eras.js';
import { SeeWritersInFlight1765202100000 } from './migrations/1765202100000-see-writers-in-flight.js';
import { KeepOrderOfAddition1765300100000 } from './migrations/1765300100000-keep-order-of-addition.js';
import { AddPageSizes1765500100000 } from './migrations/1765500100000-add-page-sizes.js';
import { SnakeNamingStrategy } from './naming.strategy.js';
import { ANSWER_TIMEOUT_MS, setUpSession } from './session-settings.js';
import { SteadyClient } from './steady-client.js';

const ENTITIES = [
  User,
  RefreshToken,
  RotatedRefreshToken,
  ThrottleCounter,
  CallCounter,
  ConsumerKey,
  Grant,
  AuthorizationRequest,
  List,
  Item,
  Tag,
  Annotation,
];

/** In the order in which they run. */
export const MIGRATIONS = [
  CreateAccounts1763700000000,
  CreateThrottleCounters1763700100000,
  CreateConsumerKeys1763700200000,
  CreateReadingLists1763800000000,
  CreatePages1763900000000,
  PostponePageRequests1763900100000,
  OrderPostponedPageRequests1763900200000,
  CreateGrants1764000000000,
  IndexResolvedUrls1764100000000,
  CreateAnnotations1764100100000,
  CreateCallCounters1764300000000,
  CreateSentPages1764300100000,
  CreateImports1764400000000,
  SpeedSearchGrams1764400100000,
  CountEndedReaders1765000100000,
  CreatePageQuotas1765100100000,
  CreatePageCursors1765200100000,
  CreateSyncEras1765201100000,
  SeeWritersInFlight1765202100000,
  KeepOrderOfAddition1765300100000,
  AddPageSizes1765500100000,
];

const CLIENT = {
  Client: SteadyClient,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
} as const;

interface ConnectionLimits {
  /** How long a connection may be silent while an answer is due. */
  readonly answerTimeoutMillis: number;
  /** How long the pool keeps a connection that nobody needs; 0 for ever. */
  readonly idleTimeoutMillis: number;
}

const LIMITS: ConnectionLimits = {
  answerTimeoutMillis: ANSWER_TIMEOUT_MS,
  idleTimeoutMillis: 30_000,
};

/** How TypeORM talks to the database: what it maps, and the limits of each session. */
export function dataSourceOptions(
  connection: Connection,
  poolSize: number,
  limits: Partial<ConnectionLimits> = {},
): PostgresDataSourceOptions {
  return {
    ...unlimitedDataSourceOptions(connection, poolSize),
    extra: {
      ...CLIENT,
      ...LIMITS,
      ...limits,
      onConnect: setUpSession,
      // Statements of a transaction are sent before the answers to earlier ones are there (database/statements.ts).
      pipeline: true,
    },
  };
}

/** For migrations, which may wait for another instance and may take long. */
export function unlimitedDataSourceOptions(
  connection: Connection,
  poolSize: number,
): PostgresDataSourceOptions {
  return {
    type: 'postgres',
    ...connection,
    entities: ENTITIES,
    migrations: MIGRATIONS,
    namingStrategy: new SnakeNamingStrategy(),
    synchronize: false,
    migrationsTransactionMode: 'each',
    // The schema needs no extension, and an ordinary role may not create one.
    installExtensions: false,
    invalidWhereValuesBehavior: { null: 'throw', undefined: 'throw' },
    poolSize,
    connectTimeoutMS: 2000,
    applicationName: 'satchel',
    extra: CLIENT,
    // The usual logger writes failed migrations to standard output, where answers go (docs/decisions/0009).
    logger: 'debug',
  };
}
