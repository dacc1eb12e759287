import { Socket } from 'node:net';

import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions.js';

import { EReaderSettings } from '../../apis/e-reader-mail/entities/e-reader-settings.entity.js';
import { FeedAccess } from '../../apis/feeds/entities/feed-access.entity.js';
import { HashedList } from '../../apis/wallabag/entities/hashed-list.entity.js';
import { UrlHash } from '../../apis/wallabag/entities/url-hash.entity.js';
import { WallabagToken } from '../../apis/wallabag/entities/wallabag-token.entity.js';
import { HostPause } from '../../articles/resolver/entities/host-pause.entity.js';
import { Page } from '../../articles/resolver/entities/page.entity.js';
import { PageQuota } from '../../articles/resolver/entities/page-quota.entity.js';
import { PageRequest } from '../../articles/resolver/entities/page-request.entity.js';
import { SentPage } from '../../articles/resolver/entities/sent-page.entity.js';
import { ConsumerKey } from '../../auth/consumers/entities/consumer-key.entity.js';
import { Grant } from '../../auth/consumers/entities/grant.entity.js';
import { Identity } from '../../auth/entities/identity.entity.js';
import { KnownLogin } from '../../auth/entities/known-login.entity.js';
import { OneTimeLink } from '../../auth/entities/one-time-link.entity.js';
import { RecoveryCode } from '../../auth/entities/recovery-code.entity.js';
import { RefreshToken } from '../../auth/entities/refresh-token.entity.js';
import { RotatedRefreshToken } from '../../auth/entities/rotated-refresh-token.entity.js';
import { SecondFactor } from '../../auth/entities/second-factor.entity.js';
import { Session } from '../../auth/entities/session.entity.js';
import { User } from '../../auth/entities/user.entity.js';
import { AuthorizationRequest } from '../../auth/oauth/entities/authorization-request.entity.js';
import { Annotation } from '../../reading-list/entities/annotation.entity.js';
import { DeletedItem } from '../../reading-list/entities/deleted-item.entity.js';
import { DueText } from '../../reading-list/entities/due-text.entity.js';
import { Item } from '../../reading-list/entities/item.entity.js';
import { ItemDetails } from '../../reading-list/entities/item-details.entity.js';
import { ItemSearch } from '../../reading-list/entities/item-search.entity.js';
import { ItemTag } from '../../reading-list/entities/item-tag.entity.js';
import { ItemText } from '../../reading-list/entities/item-text.entity.js';
import { List } from '../../reading-list/entities/list.entity.js';
import { PageCursor } from '../../reading-list/entities/page-cursor.entity.js';
import { ReadingPosition } from '../../reading-list/entities/reading-position.entity.js';
import { SyncEra } from '../../reading-list/entities/sync-era.entity.js';
import { Tag } from '../../reading-list/entities/tag.entity.js';
import { TagMove } from '../../reading-list/entities/tag-move.entity.js';
import { Tombstone } from '../../reading-list/entities/tombstone.entity.js';
import { ImportChunk } from '../../transfer/entities/import-chunk.entity.js';
import { ImportJob } from '../../transfer/entities/import-job.entity.js';
import { ImportRowError } from '../../transfer/entities/import-row-error.entity.js';
import { ReaderPreferences } from '../../web/entities/reader-preferences.entity.js';
import type { TransactionPooler } from '../config/database-settings.js';
import { CallCounter } from '../throttling/entities/call-counter.entity.js';
import { ThrottleCounter } from '../throttling/entities/throttle-counter.entity.js';
import {
  ANSWER_TIMEOUT_MS,
  DatabaseClient,
  type DatabaseClientConfig,
  liftLimits,
  setUpReplicaSession,
  setUpSession,
  StatementNames,
} from './database-client.js';
import { MIGRATIONS } from './migrations.js';
import { SnakeNamingStrategy } from './snake-naming-strategy.js';

const ENTITIES = [
  User,
  RefreshToken,
  RotatedRefreshToken,
  OneTimeLink,
  Session,
  KnownLogin,
  SecondFactor,
  RecoveryCode,
  Identity,
  ThrottleCounter,
  CallCounter,
  ConsumerKey,
  Grant,
  AuthorizationRequest,
  WallabagToken,
  UrlHash,
  HashedList,
  FeedAccess,
  EReaderSettings,
  List,
  Item,
  Tag,
  TagMove,
  Annotation,
  ReadingPosition,
  ItemDetails,
  ReaderPreferences,
  PageCursor,
  ItemTag,
  ItemSearch,
  ItemText,
  DueText,
  Tombstone,
  DeletedItem,
  SyncEra,
  ImportJob,
  ImportChunk,
  ImportRowError,
  Page,
  PageRequest,
  HostPause,
  PageQuota,
  SentPage,
];

const CLIENT = {
  Client: DatabaseClient,
  // By itself pg asks whether there is a Cloudflare, for which Node 20 loads its fetch: 1.5 MB.
  stream: () => new Socket(),
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
} as const;

interface ConnectionLimits {
  /** How long a connection may be silent while an answer is due. */
  readonly answerTimeoutMillis: number;
  /** How long the pool keeps an idle connection; 0 for ever. */
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
    entities: ENTITIES,
    extra: {
      ...CLIENT,
      ...LIMITS,
      ...limits,
      statementNames: new StatementNames(),
      ...sessionsOf(connection),
      // Statements of a transaction are sent before the answers to earlier ones are there (platform/database/query-rows.ts).
      pipeline: true,
    },
  };
}

/**
 * Sessions are set up by statements only without a pooler: through one, the settings would go to whichever session it
 * hands out, and stay there for other callers.
 */
const sessionsOf = ({ pooler, isReplica }: Connection): ExtraOptions =>
  pooler === undefined
    ? { onConnect: isReplica === true ? setUpReplicaSession : setUpSession }
    : { preparesStatements: pooler === 'transaction-prepared' };

/** What the pool and its connections are made with, past TypeORM. */
type ExtraOptions = Pick<DatabaseClientConfig, 'preparesStatements'> & {
  readonly onConnect?: typeof setUpSession;
};

/**
 * For migrations, which may wait for another instance and may take long. Without the entities: where these have
 * generated columns, TypeORM adds a table of its own (`typeorm_metadata`) to a database that it migrates.
 */
export function unlimitedDataSourceOptions(
  connection: Connection,
  poolSize: number,
): PostgresDataSourceOptions {
  return {
    type: 'postgres',
    ...connection,
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
    extra: { ...CLIENT, onConnect: liftLimits },
    // The usual logger writes failed migrations to standard output, where answers go (docs/decisions/0009).
    logger: 'debug',
  };
}

/** Where a PostgreSQL server or its pooler listens and which database is meant. */
export interface Connection extends Pick<
  PostgresDataSourceOptions,
  'url' | 'host' | 'port' | 'username' | 'database' | 'ssl'
> {
  /** Each transaction may get another session. */
  readonly pooler?: TransactionPooler | undefined;
  /** The server may follow another one. */
  readonly isReplica?: boolean;
  /** What an operator is told to look at; DATABASE_URL by default. */
  readonly variable?: 'DATABASE_DIRECT_URL' | 'DATABASE_REPLICA_URLS';
}
