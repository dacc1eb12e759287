import type { GrantedApplication } from '../../consumers/grant.repository.js';
import { Permission } from '../../consumers/permission.js';
import type { FeedPaths } from '../../feeds/feeds.service.js';
import type { ImportJob, ImportState } from '../../transfer/entities/import-job.entity.js';
import type { Moment, Views } from '../views.js';
import type { ApplicationCard, FeedsCard, ImportCard } from './account-views.js';

/** In UTC: without a script the server does not know the person's time zone. */
const FORMAT = new Intl.DateTimeFormat('en-GB', {
  ...{ day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit', minute: '2-digit' },
  ...{ timeZone: 'UTC', timeZoneName: 'short' },
});

const momentOf = (date: Date): Moment => ({
  iso: date.toISOString(),
  text: FORMAT.format(date),
});

export const cardOf = (application: GrantedApplication): ApplicationCard => ({
  id: application.consumerKeyId,
  name: application.name,
  permissions: permissionSummary(application.permissions),
  isDisabled: application.isDisabled,
  since: momentOf(application.since),
  lastUsed: application.lastUsedAt === null ? undefined : momentOf(application.lastUsedAt),
});

/** What was done, by the name that the address of the page carries. */
const NOTICES: ReadonlyMap<string, string> = new Map([
  ['revoked', 'The application has no access any more.'],
  ['feeds', 'There is a new feed address.'],
  ['feeds-revoked', 'The feed address shows nothing any more.'],
  ['password', 'The password is changed. You are logged out everywhere else.'],
]);

export const noticeOf = (done: string): string | undefined => NOTICES.get(done);

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

/** `base` is the address of the service. */
export const feedsCardOf = ({ lists, tags }: FeedPaths, base: string): FeedsCard => ({
  lists: lists.map(({ title, path }) => ({ title, url: `${base}${path}` })),
  tagUrl: `${base}${tags}NAME.atom`,
});

/** The data of the page of an import. */
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
  ],
  rowErrorsHref: job.refused + job.incomplete > 0 ? `${pathOf(job)}/remarks` : undefined,
  cancelAction: `${pathOf(job)}/cancel`,
});

/** What a permission means to the person who gives it: as a sentence, and as a part of one. */
const TEXTS: Readonly<Record<Permission, { readonly sentence: string; readonly short: string }>> = {
  [Permission.Retrieve]: {
    sentence: 'see your list: the pages, their tags and which are favorites',
    short: 'see your list',
  },
  [Permission.Add]: { sentence: 'save pages to your list', short: 'save pages' },
  [Permission.Modify]: {
    sentence: 'change your list: archive, tag, favorite and delete',
    short: 'change your list',
  },
};

const inOrder = (permissions: readonly Permission[]): readonly Permission[] =>
  Object.values(Permission).filter((permission) => permissions.includes(permission));

export const permissionSentences = (permissions: readonly Permission[]): string[] =>
  inOrder(permissions).map((permission) => TEXTS[permission].sentence);

/** `see your list, save pages and change your list`. */
const permissionSummary = (permissions: readonly Permission[]): string =>
  new Intl.ListFormat('en-GB').format(
    inOrder(permissions).map((permission) => TEXTS[permission].short),
  );
