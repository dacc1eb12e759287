import { Role, type User } from '../../../auth/entities/user.entity.js';
import type { Config } from '../../../platform/config/config.js';
import { type Message, message, plainText } from '../../../platform/i18n/message.js';
import type { AdminAction, Details } from '../details.controller.js';

export function describeUser(user: User, config: Config): Details {
  const isAdministrator = user.role === Role.Administrator;
  return {
    title: user.email,
    summary: [plainText(user.name), ...(isAdministrator ? [roleName(user)] : [])],
    facts: [
      { name: message('common.name'), value: plainText(user.name) },
      { name: message('admin.users.role.label'), value: roleName(user) },
    ],
    actions: [
      isAdministrator ? DEMOTE : PROMOTE,
      ...(config.passwordLogin ? [RESET] : []),
      SIGN_OUT,
      REMOVE_SECOND_FACTOR,
      ...(user.emailVerifiedAt === null && needsVerifiedEmail(config) ? [VERIFY] : []),
    ],
  };
}

const roleName = ({ role }: User): Message => message(`admin.users.role.${role}`);

/** Returns true if some logins require a verified email address. */
const needsVerifiedEmail = (config: Config): boolean =>
  config.isEmailVerificationRequired ||
  config.issuer !== undefined ||
  config.forwardAuthHeader !== undefined;

const PROMOTE: AdminAction = {
  verb: 'role',
  label: message('admin.users.role.promote'),
  hint: message('admin.users.role.hint'),
  field: { name: 'role', value: Role.Administrator },
};

const DEMOTE: AdminAction = {
  verb: 'role',
  label: message('admin.users.role.demote'),
  hint: message('admin.users.role.hint'),
  field: { name: 'role', value: Role.User },
};

const RESET: AdminAction = {
  verb: 'reset',
  label: message('admin.users.reset.label'),
  hint: message('admin.users.reset.hint'),
};

const SIGN_OUT: AdminAction = {
  verb: 'sign-out',
  label: message('admin.users.signOut.label'),
  hint: message('admin.users.signOut.hint'),
};

const REMOVE_SECOND_FACTOR: AdminAction = {
  verb: 'second-factor',
  label: message('admin.users.secondFactor.label'),
  hint: message('admin.users.secondFactor.hint'),
};

const VERIFY: AdminAction = {
  verb: 'verify',
  label: message('admin.users.verify.label'),
  hint: message('admin.users.verify.hint'),
};
