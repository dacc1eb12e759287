import { ALL_PERMISSIONS, Permission } from '../auth/consumers/permission.js';
import { textOf } from '../platform/common/request-fields.js';

/** A permission as a check box of a form. */
export interface PermissionChoice {
  readonly name: Permission;
  readonly label: string;
  readonly isChosen: boolean;
}

/** The meaning of each permission in words for users, as a long phrase and as a short phrase. */
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
  ALL_PERMISSIONS.filter((permission) => permissions.includes(permission));

const sentenceOf = (permission: Permission): string => TEXTS[permission].sentence;

export const permissionSentences = (permissions: readonly Permission[]): string[] =>
  inOrder(permissions).map(sentenceOf);

/** Returns a list such as `see your list, save pages and change your list`. */
export const permissionSummary = (permissions: readonly Permission[]): string =>
  new Intl.ListFormat('en-GB').format(
    inOrder(permissions).map((permission) => TEXTS[permission].short),
  );

/**
 * Returns a label such as `retrieve: see your list`. The label begins with the name of the permission on the command
 * line.
 */
export const namedPermission = (permission: Permission): string =>
  `${permission}: ${TEXTS[permission].short}`;

/** Returns a check box for each permission. */
export const permissionChoices = (
  chosen: readonly Permission[],
  labelOf: (permission: Permission) => string = sentenceOf,
): PermissionChoice[] =>
  ALL_PERMISSIONS.map((permission) => ({
    name: permission,
    label: labelOf(permission),
    isChosen: chosen.includes(permission),
  }));

/** Returns the permissions whose check boxes were selected. */
export const permissionsIn = (body: unknown): Permission[] =>
  ALL_PERMISSIONS.filter((permission) => textOf(body, permission) === '1');
