import { Permission } from '../consumers/permission.js';

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
export const permissionSummary = (permissions: readonly Permission[]): string =>
  new Intl.ListFormat('en-GB').format(
    inOrder(permissions).map((permission) => TEXTS[permission].short),
  );
