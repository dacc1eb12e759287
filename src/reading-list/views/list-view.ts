import type { FilterChoices } from './view-filters.js';
import { type ListSort, NEWEST, RELEVANCE } from './view-sorts.js';
import { type ListState, STATES } from './view-states.js';
import type { TextFilters } from './view-texts.js';

/** The items that a list page shows, and their order. */
export interface ListView {
  /** The name of the saved list from which the user opened this view. The conditions may differ from those of the list. */
  readonly list?: string | undefined;
  readonly state: ListState;
  /** The filters whose values the user has typed, such as tags and a site. */
  readonly texts: TextFilters;
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

/** A view without its state and order, which have defaults that depend on the rest of the view. */
export type Narrowed = Omit<ListView, 'state' | 'sort'>;

/** Returns true if the view has a filter by the time of archiving, so that it shows only archived items. */
const isOfRead = ({ choices, texts }: Narrowed): boolean =>
  (choices.read ?? texts.readfrom ?? texts.readto) !== undefined;

/**
 * Returns the default state of a view. The default of a view with a time of archiving is the archive. The default of a
 * view with tags, a site or a search is the whole list. The default of other views is the unread items.
 */
export function usualState(view: Narrowed): ListState {
  if (isOfRead(view)) {
    return STATES.archive;
  }
  const { tag, anytag, site } = view.texts;
  return [tag, anytag, site, view.search].every((one) => one === undefined)
    ? STATES.unread
    : STATES.all;
}

/**
 * Returns the state of a view for which `asked` is requested. Returns another state if the filters exclude all items of
 * the requested state: the filter form keeps the state of the page on which it is shown.
 */
export function stateOf(view: Narrowed, asked: ListState | undefined): ListState {
  if (asked === STATES.unread && isOfRead(view)) {
    return STATES.archive;
  }
  return asked === STATES.favorites && view.choices.favorite?.name === 'no'
    ? STATES.all
    : (asked ?? usualState(view));
}

export const isOfTexts = ({ search, searchedIn }: Narrowed): boolean =>
  search !== undefined && searchedIn === 'texts';

export const usualSort = (view: Narrowed): ListSort => (isOfTexts(view) ? RELEVANCE : NEWEST);

/** The default view: all unread items. */
export const UNREAD: ListView = {
  state: STATES.unread,
  texts: {},
  language: undefined,
  choices: {},
  search: undefined,
  searchedIn: 'texts',
  sort: NEWEST,
};
