import type { ItemFilter } from '../query/items-wanted.js';
import type { FilterChoices } from './view-filters.js';
import { type ListSort, NEWEST, RELEVANCE } from './view-sorts.js';
import { type ListState, STATES } from './view-states.js';

/** The items that a list page shows, and their order. */
export interface ListView {
  /** The name of the saved list from which the user opened this view. The conditions may differ from those of the list. */
  readonly list?: string | undefined;
  readonly state: ListState;
  /** The tag by which the list is filtered. Undefined if the list is not filtered by a tag. */
  readonly tag: TagWanted | undefined;
  readonly site: string | undefined;
  /** The code of the language by which the list is filtered. */
  readonly language: string | undefined;
  readonly choices: FilterChoices;
  readonly search: string | undefined;
  readonly searchedIn: SearchedIn;
  readonly sort: ListSort;
}

/**
 * The scope of a search. `texts` searches for words in titles, addresses and articles. `titles` searches for any
 * sequence of characters in titles and addresses.
 */
export type SearchedIn = 'texts' | 'titles';

export interface TagWanted {
  readonly text: string;
  readonly filter: NonNullable<ItemFilter['tag']>;
}

/** A view without its state and order, which have defaults that depend on the rest of the view. */
export type Narrowed = Omit<ListView, 'state' | 'sort'>;

/**
 * Returns the default state of a view. The default of a view with a tag, a site or a search is the whole list. The
 * default of other views is the unread items.
 */
export const usualState = ({ tag, site, search }: Narrowed): ListState =>
  tag === undefined && site === undefined && search === undefined ? STATES.unread : STATES.all;

export const isOfTexts = ({ search, searchedIn }: Narrowed): boolean =>
  search !== undefined && searchedIn === 'texts';

export const usualSort = (view: Narrowed): ListSort => (isOfTexts(view) ? RELEVANCE : NEWEST);

/** The default view: all unread items. */
export const UNREAD: ListView = {
  state: STATES.unread,
  tag: undefined,
  site: undefined,
  language: undefined,
  choices: {},
  search: undefined,
  searchedIn: 'texts',
  sort: NEWEST,
};
