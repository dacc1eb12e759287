import { ALL_PERMISSIONS, type Permission } from '../auth/consumers/permission.js';
import { textOf } from '../platform/common/request-fields.js';
import { type Message, message } from '../platform/i18n/message.js';

/** A permission as a check box of a form. */
export interface PermissionChoice {
  readonly name: Permission;
  readonly label: Message;
  readonly isChosen: boolean;
}

const inOrder = (permissions: readonly Permission[]): readonly Permission[] =>
  ALL_PERMISSIONS.filter((permission) => permissions.includes(permission));

/** Returns a phrase such as `Save pages to your list`. */
const longPhrase = (permission: Permission): Message => message(`permissions.long.${permission}`);

/** Returns a phrase such as `save pages`. */
const shortPhrase = (permission: Permission): Message => message(`permissions.short.${permission}`);

export const permissionSentences = (permissions: readonly Permission[]): Message[] =>
  inOrder(permissions).map(longPhrase);

/** Returns a list such as `see your list, save pages and change your list`. */
export const permissionSummary = (permissions: readonly Permission[]): Message =>
  message('permissions.summary', { permissions: inOrder(permissions).map(shortPhrase) });

/**
 * Returns a label such as `retrieve: see your list`. The label begins with the name of the permission on the command
 * line.
 */
export const namedPermission = (permission: Permission): Message =>
  message('permissions.named', { permission, phrase: shortPhrase(permission) });

/** Returns a check box for each permission. */
export const permissionChoices = (
  chosen: readonly Permission[],
  labelOf: (permission: Permission) => Message = longPhrase,
): PermissionChoice[] =>
  ALL_PERMISSIONS.map((permission) => ({
    name: permission,
    label: labelOf(permission),
    isChosen: chosen.includes(permission),
  }));

/** Returns the permissions whose check boxes were selected. */
export const permissionsIn = (body: unknown): Permission[] =>
  ALL_PERMISSIONS.filter((permission) => textOf(body, permission) === '1');
