import type { Message } from '../../../platform/i18n/message.js';
import type { SavedList } from '../../../reading-list/entities/saved-list.entity.js';
import type { FormError } from '../../forms.js';
import { Template } from '../../template.js';
import type { DoneNotice } from '../done-notice.js';
import type { ChoiceLink } from '../list/list-links.js';
import type { ReaderPage } from '../reader-page.js';
import { editPath, openPath, wordsOf } from './shown-lists.js';

/** The fields of the form of a list. */
export interface ListForm {
  readonly name: string;
  readonly isPinned: boolean;
}

/** A saved list on the page of all lists. */
interface ListCard extends ListForm {
  readonly id: string;
  readonly href: string;
  readonly editHref: string;
  /** The conditions in words. Undefined if this version of Satchel does not understand them. */
  readonly words: readonly Message[] | undefined;
}

interface AllListsModel extends ReaderPage {
  readonly tabs: readonly ChoiceLink[];
  readonly lists: readonly ListCard[];
  readonly done: DoneNotice | undefined;
  readonly path: string;
  /** The id of the list that was deleted just now. The page shows a button to restore it. */
  readonly deletedId: string | undefined;
}

interface NewListModel extends ReaderPage, ListForm {
  /** The address of the view that becomes a list. */
  readonly viewPath: string;
  readonly errors: readonly FormError[];
}

interface EditListModel extends ReaderPage, ListCard {
  readonly errors: readonly FormError[];
}

export const allListsPage = new Template<AllListsModel>('reader/saved-lists/all-lists', {
  kind: 'reader',
});
export const newListPage = new Template<NewListModel>('reader/saved-lists/new-list', {
  kind: 'reader',
});
export const editListPage = new Template<EditListModel>('reader/saved-lists/edit-list', {
  kind: 'reader',
});

export const cardOf = (list: SavedList): ListCard => ({
  id: list.id,
  name: list.name,
  isPinned: list.isPinned,
  href: openPath(list),
  editHref: editPath(list),
  words: wordsOf(list),
});
