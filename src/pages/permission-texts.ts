import { Permission } from '../consumers/permission.js';

/** What a permission means to the person who gives it: as a sentence, and as a part of one. */
const TEXTS: Readonly<Record<Permission, { readonly sentence: string; readonly verb: string }>> = {
  [Permission.Retrieve]: {
    sentence: 'see your list: the pages, their tags and which are favorites',
    verb: 'see',
  },
  [Permission.Add]: { sentence: 'save pages to your list', verb: 'save' },
  [Permission.Modify]: {
    sentence: 'change your list: archive, tag, favorite and delete',
    verb: 'change',
  },
};

const inOrder = (permissions: readonly Permission[]): readonly Permission[] =>
  Object.values(Permission).filter((permission) => permissions.includes(permission));

export const permissionSentences = (permissions: readonly Permission[]): string[] =>
  inOrder(permissions).map((permission) => TEXTS[permission].sentence);

/** `see, save and change your list`. */
export function permissionSummary(permissions: readonly Permission[]): string {
  const verbs = inOrder(permissions).map((permission) => TEXTS[permission].verb);
  return verbs.length === 0
    ? 'do nothing'
    : `${new Intl.ListFormat('en-GB').format(verbs)} your list`;
}
