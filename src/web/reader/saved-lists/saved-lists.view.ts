import { type Message, message } from '../../../platform/i18n/message.js';
import type { ListFeed, SavedList } from '../../../reading-list/entities/saved-list.entity.js';
import type { FormError } from '../../forms.js';
import { Template } from '../../template.js';
import type { DoneNotice } from '../done-notice.js';
import type { ChoiceLink } from '../list/list-links.js';
import type { ReaderPage } from '../reader-page.js';
import type { ListDigestPart } from './list-digest-part.js';
import type { RulePart } from './list-rule-forms.js';
import type { PublicPagePart } from './public-page-forms.js';
import { editPath, openPath, wordsOf } from './shown-lists.js';

/** The fields of the form of a list. */
export interface ListForm {
  readonly name: string;
  readonly isPinned: boolean;
}

/** The fields of the form that edits a list. */
export interface EditForm extends ListForm {
  readonly feed: ListFeed | null;
  readonly isShelf: boolean;
}

/** A saved list on the page of all lists. */
interface ListCard extends EditForm {
  readonly id: string;
  /** The address of the feed without the file extension. Undefined if the list has no feed. */
  readonly feedUrl: string | undefined;
  readonly href: string;
  readonly editHref: string;
  /** The conditions in words. Undefined if this version of Satchel does not understand them. */
  readonly words: readonly Message[] | undefined;
}

interface AllListsModel extends ReaderPage {
  readonly tabs: readonly ChoiceLink[];
  readonly lists: readonly (ListCard & {
    /** The actions of the rule of the list in words. Undefined if no rule is on. */
    readonly ruleWords: readonly Message[] | undefined;
  })[];
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

export interface EditListModel extends ReaderPage, ListCard {
  readonly feeds: typeof FEED_CHOICES;
  readonly errors: readonly FormError[];
  readonly rule: RulePart;
  readonly publicPage: PublicPagePart;
  readonly listDigest: ListDigestPart;
  readonly done: DoneNotice | undefined;
  readonly path: string;
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

/** The choices for the feed of a list. */
export const FEED_CHOICES: readonly {
  readonly value: ListFeed | null;
  readonly label: Message;
}[] = [
  { value: null, label: message('listFeeds.none') },
  { value: 'excerpts', label: message('listFeeds.excerpts') },
  { value: 'articles', label: message('listFeeds.articles') },
];

/** Returns the choice with the value of a form. Returns null, which is no feed, for any other text. */
export const feedIn = (text: string): ListFeed | null =>
  FEED_CHOICES.find(({ value }) => value === text)?.value ?? null;

/** `feedUrls` contains the addresses of the feeds of saved lists, keyed by the ids of the lists. */
export const cardOf = (list: SavedList, feedUrls: ReadonlyMap<string, string>): ListCard => ({
  id: list.id,
  name: list.name,
  isPinned: list.isPinned,
  feed: list.feed,
  isShelf: list.isShelf,
  feedUrl: feedUrls.get(list.id),
  href: openPath(list),
  editHref: editPath(list),
  words: wordsOf(list),
});
