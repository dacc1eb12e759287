import type { ConsumerKey } from '../../auth/consumers/entities/consumer-key.entity.js';
import { Role, type User } from '../../auth/entities/user.entity.js';
import type { Config } from '../../platform/config/config.js';
import type { ImportState } from '../../transfer/entities/import-job.entity.js';
import type { AdminCard, AdminViews } from './admin-views.js';

/** The flash messages, keyed by the `done` query parameter. */
const NOTICES: ReadonlyMap<string, string> = new Map([
  ['disabled', 'It is disabled.'],
  ['enabled', 'It is enabled.'],
  ['deleted', 'It is deleted.'],
  ['signed-out', 'Every session and token of the user is ended.'],
  ['verified', 'The email address is confirmed.'],
  ['role', 'The role is changed.'],
  ['second-factor', 'The password alone logs the user in.'],
  ['permissions', 'The permissions are changed.'],
  ['revoked', 'The invitation does not work any more.'],
]);

export const adminNotice = (done: string): string | undefined => NOTICES.get(done);

const stateOf = ({ disabledAt }: Pick<User | ConsumerKey, 'disabledAt'>): string =>
  disabledAt === null ? 'enabled' : 'disabled';

export const userPath = ({ id }: User): string => `/admin/users/${id}`;

export const userCard = (user: User): AdminCard => ({
  href: userPath(user),
  title: user.email,
  facts: [user.name, ...(user.role === Role.Administrator ? ['administrator'] : []), stateOf(user)],
});

type Actions = AdminViews['admin/user']['actions'];

const switchAction = (path: string, isDisabled: boolean, hint: string): Actions[number] =>
  isDisabled
    ? { action: `${path}/enable`, label: 'Enable', hint: 'Everything is still there.' }
    : { action: `${path}/disable`, label: 'Disable', hint };

function roleAction(path: string, { role }: User): Actions[number] {
  const isAdministrator = role === Role.Administrator;
  return {
    action: `${path}/role`,
    label: isAdministrator ? 'Take the role of administrator away' : 'Make an administrator',
    hint: 'Administrators see these pages, and can do what they offer to each user.',
    field: { name: 'role', value: isAdministrator ? Role.User : Role.Administrator },
  };
}

const resetAction = (path: string): Actions[number] => ({
  action: `${path}/reset`,
  label: 'Make a link for a new password',
  hint: 'Hand it over to the user: it works once, for a day.',
});

const verifyAction = (path: string): Actions[number] => ({
  action: `${path}/verify`,
  label: 'Confirm the email address',
  hint: 'If you know that the account is of the owner of the address, who cannot log in before. Else delete it.',
});

/** Returns true if some logins require a verified email address. */
const needsOwnAddress = (config: Config): boolean =>
  config.isEmailVerificationRequired ||
  config.issuer !== undefined ||
  config.forwardAuthHeader !== undefined;

/** Returns the actions that an administrator can take on a user, except the deletion. */
export function userActions(user: User, config: Config): Actions {
  const path = userPath(user);
  return [
    roleAction(path, user),
    ...(config.passwordLogin ? [resetAction(path)] : []),
    {
      action: `${path}/sign-out`,
      label: 'Log out everywhere',
      hint: 'Ends every session and access token of the user, but not the access of applications.',
    },
    {
      action: `${path}/second-factor`,
      label: 'Turn the second factor off',
      hint: 'For a user who has lost the app and the recovery codes.',
    },
    ...(user.emailVerifiedAt === null && needsOwnAddress(config) ? [verifyAction(path)] : []),
    switchAction(
      path,
      user.disabledAt !== null,
      'Refuses every login and ends every session; the data stays.',
    ),
  ];
}

export const userFacts = (user: User): AdminViews['admin/user']['facts'] => [
  { name: 'Name', value: user.name },
  { name: 'Role', value: user.role },
  { name: 'State', value: stateOf(user) },
];

export const keyPath = ({ id }: ConsumerKey): string => `/admin/keys/${id}`;

export const keyCard = (key: ConsumerKey): AdminCard => ({
  href: keyPath(key),
  title: key.name,
  facts: [`key ${key.id}`, key.permissions.join(', '), stateOf(key)],
});

export const keyActions = (key: ConsumerKey): Actions => [
  switchAction(
    keyPath(key),
    key.disabledAt !== null,
    'Refuses every call of the application, for all users; they keep the access that they gave it.',
  ),
];

export const keyFacts = (key: ConsumerKey): AdminViews['admin/key']['facts'] => [
  { name: 'Number', value: key.id },
  { name: 'Dialect', value: key.dialect },
  { name: 'State', value: stateOf(key) },
];

/** Names of the import states in the overview, in the order in which they are shown. */
export const IMPORT_STATES: Readonly<Record<ImportState, string>> = {
  uploading: 'being uploaded',
  waiting: 'waiting',
  running: 'running',
  done: 'done',
  failed: 'failed',
  cancelled: 'stopped',
};
