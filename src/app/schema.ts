import { EReaderSettings } from '../apis/e-reader-mail/entities/e-reader-settings.entity.js';
import { FeedAccess } from '../apis/feeds/entities/feed-access.entity.js';
import { HashedList } from '../apis/wallabag/entities/hashed-list.entity.js';
import { UrlHash } from '../apis/wallabag/entities/url-hash.entity.js';
import { WallabagToken } from '../apis/wallabag/entities/wallabag-token.entity.js';
import { PagePicture } from '../articles/images/page-picture.entity.js';
import { Picture } from '../articles/images/picture.entity.js';
import { PictureShare } from '../articles/images/picture-share.entity.js';
import { PictureUser } from '../articles/images/picture-user.entity.js';
import { TrashedPicture } from '../articles/images/trashed-picture.entity.js';
import { HostPause } from '../articles/resolver/entities/host-pause.entity.js';
import { Page } from '../articles/resolver/entities/page.entity.js';
import { PageQuota } from '../articles/resolver/entities/page-quota.entity.js';
import { PageRequest } from '../articles/resolver/entities/page-request.entity.js';
import { SentPage } from '../articles/resolver/entities/sent-page.entity.js';
import { ConsumerKey } from '../auth/consumers/entities/consumer-key.entity.js';
import { Grant } from '../auth/consumers/entities/grant.entity.js';
import { AuditEntry } from '../auth/entities/audit-entry.entity.js';
import { Identity } from '../auth/entities/identity.entity.js';
import { KnownLogin } from '../auth/entities/known-login.entity.js';
import { OneTimeLink } from '../auth/entities/one-time-link.entity.js';
import { Passkey } from '../auth/entities/passkey.entity.js';
import { RecoveryCode } from '../auth/entities/recovery-code.entity.js';
import { RefreshToken } from '../auth/entities/refresh-token.entity.js';
import { RotatedRefreshToken } from '../auth/entities/rotated-refresh-token.entity.js';
import { SecondFactor } from '../auth/entities/second-factor.entity.js';
import { SecurityMail } from '../auth/entities/security-mail.entity.js';
import { Session } from '../auth/entities/session.entity.js';
import { SpentChallenge } from '../auth/entities/spent-challenge.entity.js';
import { User } from '../auth/entities/user.entity.js';
import { AuthorizationRequest } from '../auth/oauth/entities/authorization-request.entity.js';
import { CallCounter } from '../platform/throttling/entities/call-counter.entity.js';
import { ThrottleCounter } from '../platform/throttling/entities/throttle-counter.entity.js';
import { Annotation } from '../reading-list/entities/annotation.entity.js';
import { DeletedItem } from '../reading-list/entities/deleted-item.entity.js';
import { DueText } from '../reading-list/entities/due-text.entity.js';
import { Item } from '../reading-list/entities/item.entity.js';
import { ItemDetails } from '../reading-list/entities/item-details.entity.js';
import { ItemSearch } from '../reading-list/entities/item-search.entity.js';
import { ItemTag } from '../reading-list/entities/item-tag.entity.js';
import { ItemText } from '../reading-list/entities/item-text.entity.js';
import { List } from '../reading-list/entities/list.entity.js';
import { ListDigest } from '../reading-list/entities/list-digest.entity.js';
import { ListDigestItem } from '../reading-list/entities/list-digest-item.entity.js';
import { PageCursor } from '../reading-list/entities/page-cursor.entity.js';
import { PublicList } from '../reading-list/entities/public-list.entity.js';
import { ReadingPosition } from '../reading-list/entities/reading-position.entity.js';
import { SavedList } from '../reading-list/entities/saved-list.entity.js';
import { SharedItem } from '../reading-list/entities/shared-item.entity.js';
import { SyncEra } from '../reading-list/entities/sync-era.entity.js';
import { Tag } from '../reading-list/entities/tag.entity.js';
import { TagMove } from '../reading-list/entities/tag-move.entity.js';
import { Tombstone } from '../reading-list/entities/tombstone.entity.js';
import { EventSubscription } from '../reading-list/events/event-subscription.entity.js';
import { ListEvent } from '../reading-list/events/list-event.entity.js';
import { ListRule } from '../reading-list/rules/list-rule.entity.js';
import { ListRuleItem } from '../reading-list/rules/list-rule-item.entity.js';
import { ListRuleMail } from '../reading-list/rules/list-rule-mail.entity.js';
import { Snapshot } from '../reading-list/snapshots/snapshot.entity.js';
import { TagColor } from '../reading-list/tag-colors/tag-color.entity.js';
import { BackupRun } from '../transfer/entities/backup-run.entity.js';
import { ImportChunk } from '../transfer/entities/import-chunk.entity.js';
import { ImportJob } from '../transfer/entities/import-job.entity.js';
import { ImportRowError } from '../transfer/entities/import-row-error.entity.js';
import { ImportChanges } from '../transfer/undo/import-changes.entity.js';
import { ReaderPreferences } from '../web/entities/reader-preferences.entity.js';

/** All TypeORM entities of the service. The migrations are in platform/database/migrations.ts. */
export const ENTITIES = [
  User,
  RefreshToken,
  RotatedRefreshToken,
  OneTimeLink,
  Session,
  KnownLogin,
  AuditEntry,
  SecondFactor,
  SecurityMail,
  RecoveryCode,
  Passkey,
  SpentChallenge,
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
  TagColor,
  TagMove,
  Annotation,
  ReadingPosition,
  ItemDetails,
  SharedItem,
  Snapshot,
  ReaderPreferences,
  PageCursor,
  ItemTag,
  ItemSearch,
  ItemText,
  DueText,
  ListEvent,
  EventSubscription,
  Tombstone,
  DeletedItem,
  SavedList,
  ListRule,
  ListRuleItem,
  ListRuleMail,
  PublicList,
  ListDigest,
  ListDigestItem,
  SyncEra,
  ImportJob,
  BackupRun,
  ImportChanges,
  ImportChunk,
  ImportRowError,
  Page,
  Picture,
  PagePicture,
  PictureShare,
  PictureUser,
  TrashedPicture,
  PageRequest,
  HostPause,
  PageQuota,
  SentPage,
];
