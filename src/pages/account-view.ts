import type { User } from '../auth/entities/user.entity.js';
import type { GrantedApplication } from '../consumers/grant.store.js';
import { permissionSummary } from './permission-texts.js';
import type { ApplicationCard, Moment } from './views.js';

/** Nobody knows the person's time zone without a script. */
const FORMAT = new Intl.DateTimeFormat('en-GB', {
  ...{ day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit', minute: '2-digit' },
  ...{ timeZone: 'UTC', timeZoneName: 'short' },
});

export const momentOf = (date: Date): Moment => ({
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

export const personOf = ({ name, email }: User): Pick<User, 'name' | 'email'> => ({ name, email });

/** What was done, by the name that the address of the page carries. */
const NOTICES: ReadonlyMap<string, string> = new Map([
  ['revoked', 'The application has no access any more.'],
  ['password', 'The password is changed. You are logged out everywhere else.'],
]);

export const noticeOf = (done: string): string | undefined => NOTICES.get(done);
