import { type Message, message } from '../../../platform/i18n/message.js';

/** A link to a part of a group page. */
interface GroupLink {
  /**
   * The fragment of the part on the group page. The link has the same id, so that addresses such as `/account#feeds`
   * of earlier versions still show the way.
   */
  readonly id: string;
  readonly href: string;
  readonly label: Message;
}

/** A group of settings on the index of the account. */
export interface AccountGroup {
  readonly title: Message;
  readonly href: string;
  readonly text: Message;
  readonly links: readonly GroupLink[];
}

/** The properties of a user that decide which groups the index shows. */
interface GroupReader {
  /** True if password login is on and the user has a password. */
  readonly hasPassword: boolean;
  /** True if users may have passkeys. */
  readonly allowsPasskeys: boolean;
  /** True if articles can be sent to e-readers. */
  readonly hasEReaderMail: boolean;
  readonly isAdministrator: boolean;
}

/** Returns the link to a section of a group page. */
const sectionLink = (path: string, id: string, label: Message): GroupLink => ({
  id,
  href: `${path}#${id}`,
  label,
});

const PROFILE: AccountGroup = {
  title: message('account.profile.title'),
  href: '/account/profile',
  text: message('account.profile.summary'),
  links: [],
};

const SESSIONS: readonly GroupLink[] = [
  sectionLink('/account/security', 'sessions', message('sessions.title')),
  { id: 'activity', href: '/account/activity', label: message('audit.title') },
  sectionLink('/account/security', 'sign-out', message('account.signOut.title')),
];

const PASSWORD: readonly GroupLink[] = [
  sectionLink('/account/security', 'password-heading', message('account.password.title')),
  { id: 'second-factor', href: '/account/second-factor', label: message('secondFactor.title') },
];

const PASSKEYS: GroupLink = {
  id: 'passkeys',
  href: '/account/passkeys',
  label: message('passkeys.title'),
};

const securityOf = ({ hasPassword, allowsPasskeys }: GroupReader): AccountGroup => ({
  title: message('account.security.title'),
  href: '/account/security',
  text: message('account.security.summary'),
  links: [...(hasPassword ? PASSWORD : []), ...(allowsPasskeys ? [PASSKEYS] : []), ...SESSIONS],
});

const DEVICES: AccountGroup = {
  title: message('account.devices.title'),
  href: '/account/devices',
  text: message('account.devices.summary'),
  links: [
    sectionLink('/account/devices', 'applications', message('account.applications.title')),
    { id: 'extension', href: '/account/extension', label: message('extension.title') },
    { id: 'phone', href: '/account/phone', label: message('phone.title') },
    { id: 'personal-keys', href: '/account/keys', label: message('keys.title') },
    sectionLink('/account/devices', 'feeds', message('feeds.title')),
  ],
};

const DATA: AccountGroup = {
  title: message('account.data.title'),
  href: '/account/data',
  text: message('account.data.summary'),
  links: [
    sectionLink('/account/data', 'import', message('imports.section.title')),
    sectionLink('/account/data', 'export', message('export.title')),
    { id: 'shared-links', href: '/account/shared-links', label: message('sharedLinks.title') },
    { id: 'snapshots', href: '/snapshots', label: message('snapshots.title') },
    { id: 'duplicates', href: '/list/duplicates', label: message('duplicates.title') },
  ],
};

const READING: AccountGroup = {
  title: message('account.reading.title'),
  href: '/account/reading',
  text: message('account.reading.summary'),
  links: [],
};

const E_READER: AccountGroup = {
  title: message('account.eReader.title'),
  href: '/account/e-reader',
  text: message('account.eReader.text'),
  links: [],
};

const ADMINISTRATION: AccountGroup = {
  title: message('account.administration.title'),
  href: '/admin',
  text: message('account.administration.text'),
  links: [
    { id: 'users', href: '/admin/users', label: message('admin.users.title') },
    { id: 'consumer-keys', href: '/admin/keys', label: message('admin.keys.title') },
    { id: 'invitations', href: '/admin/invitations', label: message('admin.invitations.title') },
    { id: 'audit', href: '/admin/audit', label: message('audit.logTitle') },
  ],
};

/** Returns the groups that the index of the account shows to a user. */
export const accountGroups = (reader: GroupReader): AccountGroup[] => [
  PROFILE,
  securityOf(reader),
  DEVICES,
  DATA,
  READING,
  ...(reader.hasEReaderMail ? [E_READER] : []),
  ...(reader.isAdministrator ? [ADMINISTRATION] : []),
];
