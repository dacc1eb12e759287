import { type Message, plainText } from '../../../platform/i18n/message.js';
import type { SavedList } from '../../../reading-list/entities/saved-list.entity.js';
import { hasConditions, viewOf } from '../../../reading-list/saved-lists/saved-list-view.js';
import { type ListView, UNREAD, usualSort } from '../../../reading-list/views/list-view.js';
import { type ChoiceLink, listPath } from '../list/list-links.js';
import { narrowingsOf } from '../list/narrowings.js';

export const LISTS_PATH = '/list/lists';

/** The part of the list page about saved lists. */
export interface ListsOfPage {
  /** The saved list that the page shows. Undefined if the view differs from each list. */
  readonly shown: { readonly name: string; readonly editHref: string } | undefined;
  /** The saved list from which the user opened the view, if the view now has other conditions. */
  readonly changed: { readonly id: string; readonly name: string } | undefined;
  /** The address of the view that the user can save as a list. Undefined for saved lists and for the default view. */
  readonly savedPath: string | undefined;
}

/** Returns the path at which a saved list is opened. It stays the same if the conditions of the list change. */
export const openPath = ({ name }: Pick<SavedList, 'name'>): string =>
  `/list/l/${encodeURIComponent(name)}`;

export const editPath = ({ id }: Pick<SavedList, 'id'>): string => `${LISTS_PATH}/edit?id=${id}`;

export function listsOfPage(view: ListView, lists: readonly SavedList[]): ListsOfPage {
  const list = lists.find(({ name }) => name === view.list);
  const isShown = list !== undefined && hasConditions(view, list.conditions);
  const savedPath = listPath({ ...view, list: undefined });
  const canSave = !isShown && savedPath !== listPath(UNREAD);
  return {
    shown: isShown ? { name: list.name, editHref: editPath(list) } : undefined,
    changed: canSave && list !== undefined ? { id: list.id, name: list.name } : undefined,
    savedPath: canSave ? savedPath : undefined,
  };
}

/** Returns the links to the pinned lists of a user. `current` is the name of the list that the page shows. */
export const pinnedLinks = (lists: readonly SavedList[], current?: string): ChoiceLink[] =>
  lists
    .filter(({ isPinned }) => isPinned)
    .map((list) => ({
      href: openPath(list),
      label: plainText(list.name),
      isCurrent: list.name === current,
    }));

/** Describes the conditions of a saved list. Undefined if this version of Satchel does not understand them. */
export function wordsOf(list: SavedList): readonly Message[] | undefined {
  const view = viewOf(list);
  return (
    view && [
      view.state.label,
      ...narrowingsOf(view).map(({ label }) => label),
      ...(view.sort === usualSort(view) ? [] : [view.sort.label]),
    ]
  );
}
