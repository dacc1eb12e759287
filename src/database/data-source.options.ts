import { Socket } from 'node:net';

import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions.js';

import { Identity } from '../auth/entities/identity.entity.js';
import { KnownLogin } from '../auth/entities/known-login.entity.js';
import { OneTimeLink } from '../auth/entities/one-time-link.entity.js';
import { RecoveryCode } from '../auth/entities/recovery-code.entity.js';
import { RefreshToken } from '../auth/entities/refresh-token.entity.js';
import { RotatedRefreshToken } from '../auth/entities/rotated-refresh-token.entity.js';
import { SecondFactor } from '../auth/entities/second-factor.entity.js';
import { Session } from '../auth/entities/session.entity.js';
import { User } from '../auth/entities/user.entity.js';
import type { TransactionPooler } from '../config/database-settings.js';
import { ConsumerKey } from '../consumers/entities/consumer-key.entity.js';
import { Grant } from '../consumers/entities/grant.entity.js';
import { EReaderSettings } from '../e-reader-mail/entities/e-reader-settings.entity.js';
import { FeedAccess } from '../feeds/entities/feed-access.entity.js';
import { AuthorizationRequest } from '../oauth/entities/authorization-request.entity.js';
import { ReaderPreferences } from '../pages/entities/reader-preferences.entity.js';
import { Annotation } from '../reading-list/entities/annotation.entity.js';
import { DeletedItem } from '../reading-list/entities/deleted-item.entity.js';
import { DueText } from '../reading-list/entities/due-text.entity.js';
import { Item } from '../reading-list/entities/item.entity.js';
import { ItemSearch } from '../reading-list/entities/item-search.entity.js';
import { ItemTag } from '../reading-list/entities/item-tag.entity.js';
import { ItemText } from '../reading-list/entities/item-text.entity.js';
import { List } from '../reading-list/entities/list.entity.js';
import { PageCursor } from '../reading-list/entities/page-cursor.entity.js';
import { ReadingPosition } from '../reading-list/entities/reading-position.entity.js';
import { SyncEra } from '../reading-list/entities/sync-era.entity.js';
import { Tag } from '../reading-list/entities/tag.entity.js';
import { TagMove } from '../reading-list/entities/tag-move.entity.js';
import { Tombstone } from '../reading-list/entities/tombstone.entity.js';
import { HostPause } from '../resolver/entities/host-pause.entity.js';
import { Page } from '../resolver/entities/page.entity.js';
import { PageQuota } from '../resolver/entities/page-quota.entity.js';
import { PageRequest } from '../resolver/entities/page-request.entity.js';
import { SentPage } from '../resolver/entities/sent-page.entity.js';
import { CallCounter } from '../throttling/entities/call-counter.entity.js';
import { ThrottleCounter } from '../throttling/entities/throttle-counter.entity.js';
import { ImportChunk } from '../transfer/entities/import-chunk.entity.js';
import { ImportJob } from '../transfer/entities/import-job.entity.js';
import { ImportRowError } from '../transfer/entities/import-row-error.entity.js';
import { HashedList } from '../wallabag-api/entities/hashed-list.entity.js';
import { UrlHash } from '../wallabag-api/entities/url-hash.entity.js';
import { WallabagToken } from '../wallabag-api/entities/wallabag-token.entity.js';
import {
  ANSWER_TIMEOUT_MS,
  DatabaseClient,
  type DatabaseClientConfig,
  liftLimits,
  setUpReplicaSession,
  setUpSession,
  StatementNames,
} from './database-client.js';
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
import { CreateReadingPositions1765600100000 } from './migrations/1765600100000-create-reading-positions.js';
import { AddAnnotationNotes1765600200000 } from './migrations/1765600200000-add-annotation-notes.js';
import { KeepDeletedItems1765600250000 } from './migrations/1765600250000-keep-deleted-items.js';
import { CreateReaderPreferences1765600300000 } from './migrations/1765600300000-create-reader-preferences.js';
import { CreateFeedAccesses1765600400000 } from './migrations/1765600400000-create-feed-accesses.js';
import { CreateItemTexts1765600500000 } from './migrations/1765600500000-create-item-texts.js';
import { KeepDeletedPositions1765600600000 } from './migrations/1765600600000-keep-deleted-positions.js';
import { AddRolesAndOneTimeLinks1765600700000 } from './migrations/1765600700000-add-roles-and-one-time-links.js';
import { CreateSessions1765600800000 } from './migrations/1765600800000-create-sessions.js';
import { OwnConsumerKeys1765600900000 } from './migrations/1765600900000-own-consumer-keys.js';
import { CreateIdentities1765601000000 } from './migrations/1765601000000-create-identities.js';
import { VerifyEmailAddresses1765601100000 } from './migrations/1765601100000-verify-email-addresses.js';
import { AddKindsOfKeys1765601200000 } from './migrations/1765601200000-add-kinds-of-keys.js';
import { NumberItems1765601250000 } from './migrations/1765601250000-number-items.js';
import { CreateWallabagTokens1765601300000 } from './migrations/1765601300000-create-wallabag-tokens.js';
import { CreateUrlHashes1765601410000 } from './migrations/1765601410000-create-url-hashes.js';
import { CreateEReaderSettings1765601500000 } from './migrations/1765601500000-create-e-reader-settings.js';
import { IndexHosts1765601600000 } from './migrations/1765601600000-index-hosts.js';
import { ReferToUsers1765601700000 } from './migrations/1765601700000-refer-to-users.js';
import { CreateTagMoves1765601900000 } from './migrations/1765601900000-create-tag-moves.js';
import { SpeedSearchGramsAgain1765602000000 } from './migrations/1765602000000-speed-search-grams-again.js';
import { AddItemNotes1765602100000 } from './migrations/1765602100000-add-item-notes.js';
import { ReportUnreadFields1765602600000 } from './migrations/1765602600000-report-unread-fields.js';
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
  CreateReadingPositions1765600100000,
  AddAnnotationNotes1765600200000,
  KeepDeletedItems1765600250000,
  CreateReaderPreferences1765600300000,
  CreateFeedAccesses1765600400000,
  CreateItemTexts1765600500000,
  KeepDeletedPositions1765600600000,
  AddRolesAndOneTimeLinks1765600700000,
  CreateSessions1765600800000,
  OwnConsumerKeys1765600900000,
  CreateIdentities1765601000000,
  VerifyEmailAddresses1765601100000,
  AddKindsOfKeys1765601200000,
  NumberItems1765601250000,
  CreateWallabagTokens1765601300000,
  CreateUrlHashes1765601410000,
  CreateEReaderSettings1765601500000,
  IndexHosts1765601600000,
  ReferToUsers1765601700000,
  CreateTagMoves1765601900000,
  SpeedSearchGramsAgain1765602000000,
  AddItemNotes1765602100000,
  ReportUnreadFields1765602600000,
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
      // Statements of a transaction are sent before the answers to earlier ones are there (database/query-rows.ts).
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
