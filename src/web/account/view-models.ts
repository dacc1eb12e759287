import type { FeedPaths } from '../../apis/feeds/feeds.service.js';
import { KeyKind } from '../../auth/consumers/entities/consumer-key.entity.js';
import type { GrantedApplication } from '../../auth/consumers/grant.repository.js';
import type { Session } from '../../auth/entities/session.entity.js';
import { unreadSentences } from '../../lib/library-formats/unread-fields.js';
import { byteSizeText } from '../../reading-list/storage/byte-size.js';
import type { UsedStorage } from '../../reading-list/storage/storage-usage.service.js';
import type { ImportJob, ImportState } from '../../transfer/entities/import-job.entity.js';
import { permissionSummary } from '../permission-choices.js';
import type { Moment, Views } from '../views.js';
import type { ApplicationCard, FeedsCard, ImportCard, SessionCard } from './account-views.js';

/** Formats times in UTC, because the server does not know the person's time zone. */
const FORMAT = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
  timeZoneName: 'short',
});

export const momentOf = (date: Date): Moment => ({
  iso: date.toISOString(),
  text: FORMAT.format(date),
});

const KINDS: Readonly<Record<KeyKind, string>> = {
  [KeyKind.Key]: 'personal key',
  [KeyKind.Password]: 'application password',
  [KeyKind.Client]: 'client of a wallabag app',
};

export const cardOf = (application: GrantedApplication): ApplicationCard => ({
  id: application.consumerKeyId,
  name: application.name,
  kind: KINDS[application.kind],
  loginName: application.loginName ?? undefined,
  permissions: permissionSummary(application.permissions),
  isDisabled: application.isDisabled,
  since: momentOf(application.since),
  lastUsed: application.lastUsedAt === null ? undefined : momentOf(application.lastUsedAt),
});

/** Returns the card of a session. `current` is the session of the request. */
export const sessionCardOf = (session: Session, current: Session | undefined): SessionCard => ({
  id: session.id.toString('base64url'),
  device: session.device,
  address: session.address || 'an unknown address',
  since: momentOf(session.createdAt),
  lastUsed: momentOf(session.lastUsedAt),
  isThis: current !== undefined && session.id.equals(current.id),
});

/** The flash messages, keyed by the `done` query parameter. */
const NOTICES: ReadonlyMap<string, string> = new Map([
  ['revoked', 'The application has no access any more.'],
  ['key-revoked', 'The key does not work any more.'],
  ['e-reader', 'The settings are saved.'],
  ['e-reader-test', 'A test is on its way. This page tells what became of it.'],
  ['e-reader-confirm', 'A mail with a link is on its way. Open the link to confirm your address.'],
  ['e-reader-deleted', 'Nothing is sent to an e-reader any more.'],
  ['feeds', 'There is a new feed address.'],
  ['feeds-revoked', 'The feed address shows nothing any more.'],
  ['session-ended', 'That session is ended.'],
  ['sessions-ended', 'All other sessions are ended.'],
  ['second-factor-off', 'The second factor is off.'],
  ['password', 'The password is changed. You are logged out everywhere else.'],
]);

export const noticeOf = (done: string): string | undefined => NOTICES.get(done);

/** Returns the used storage as a part of a sentence. */
export const storageText = ({ bytes, limit }: UsedStorage): string =>
  limit === 0 ? byteSizeText(bytes) : `${byteSizeText(bytes)} of ${byteSizeText(limit)}`;

const STATE_TEXTS: Readonly<Record<ImportState, string>> = {
  uploading: 'being uploaded',
  waiting: 'waiting for its turn',
  running: 'being imported',
  done: 'done',
  failed: 'failed',
  cancelled: 'stopped',
};

const pathOf = ({ id }: ImportJob): string => `/account/imports/${id}`;

const nameOf = ({ fileName }: ImportJob): string => fileName || 'a file without a name';

const summaryOf = ({ state, failure }: ImportJob): string =>
  failure === null ? STATE_TEXTS[state] : `${STATE_TEXTS[state]}. ${failure}`;

export const importCardOf = (job: ImportJob): ImportCard => ({
  href: pathOf(job),
  fileName: nameOf(job),
  begun: momentOf(job.createdAt),
  summary: summaryOf(job),
});

/** Returns the feed addresses for the account page. `base` is the address of the service. */
export const feedsCardOf = ({ lists, tags }: FeedPaths, base: string): FeedsCard => ({
  lists: lists.map(({ title, path }) => ({ title, url: `${base}${path}` })),
  tagUrl: `${base}${tags}NAME.atom`,
});

const formatOf = ({ format, formatReason }: ImportJob): string | undefined =>
  format === null
    ? undefined
    : `Read as ${format}${formatReason === null ? '' : `: ${formatReason}`}.`;

const hasDownload = ({ refused, incomplete, merged, unread }: ImportJob): boolean =>
  refused + incomplete + merged + (unread?.fields.length ?? 0) > 0;

/** Returns the model of the page of an import. */
export const importViewOf = (job: ImportJob): Omit<Views['import'], 'csrfToken'> => ({
  fileName: nameOf(job),
  summary: summaryOf(job),
  isUnfinished: job.finishedAt === null,
  rows: job.rowCount ?? undefined,
  rowsDone: job.rowsDone,
  counts: [
    { name: 'Added', rows: job.added },
    { name: 'Completed from the file', rows: job.changed },
    { name: 'Already here', rows: job.unchanged },
    { name: 'Deleted by you, and left so', rows: job.deleted },
    { name: 'Refused', rows: job.refused },
    { name: 'Taken in part', rows: job.incomplete },
    { name: 'Same page as an earlier row', rows: job.merged },
  ],
  format: formatOf(job),
  notImported: unreadSentences(job.unread),
  rowErrorsHref: hasDownload(job) ? `${pathOf(job)}/remarks` : undefined,
  cancelAction: `${pathOf(job)}/cancel`,
});
