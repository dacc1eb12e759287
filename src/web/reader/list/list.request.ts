import { type Reader, textReader, Unreadable } from '../../../pocket-api/param-readers.js';
import { ChoiceParam, CustomParam, IdParam, TextParam } from '../../../pocket-api/params.js';
import { readDomain, readTagFilter } from '../../../reading-list/list-param-readers.js';
import type { ItemFilter } from '../../../reading-list/query/items-wanted.js';
import { type ListSort, NEWEST, RELEVANCE, SORTS } from './list-sorts.js';
import { type ListState, STATES } from './list-states.js';

/** The items that a list page shows, and their order. */
export interface ListView {
  readonly state: ListState;
  /** The tag of the list: the text from the address, and the filter. */
  readonly tag: TagWanted | undefined;
  readonly site: string | undefined;
  readonly search: string | undefined;
  readonly searchedIn: SearchedIn;
  readonly sort: ListSort;
}

/**
 * The scope of a search. `texts` searches for words in titles, addresses and articles. `titles` searches for any part
 * of titles and addresses.
 */
type SearchedIn = 'texts' | 'titles';

interface TagWanted {
  readonly text: string;
  readonly filter: NonNullable<ItemFilter['tag']>;
}

const SEARCHED: Readonly<Record<SearchedIn, SearchedIn>> = { texts: 'texts', titles: 'titles' };

const MAX_SEARCH_LENGTH = 256;
const MAX_POSITION_LENGTH = 4000;

const readTagText = textReader({ max: 200 });

const readTag: Reader<TagWanted> = (value) => {
  const text = readTagText(value);
  const filter = readTagFilter(value);
  return text instanceof Unreadable || filter instanceof Unreadable
    ? new Unreadable('must be one tag')
    : { text, filter };
};

/** The query parameters of the list and of its pages. */
export class ListRequest {
  @ChoiceParam(STATES)
  state?: ListState;

  @CustomParam(readTag)
  tag?: TagWanted;

  @CustomParam(readDomain)
  site?: string;

  @TextParam({ max: MAX_SEARCH_LENGTH })
  search?: string;

  @ChoiceParam(SEARCHED)
  in?: SearchedIn;

  @ChoiceParam(SORTS)
  sort?: ListSort;

  /** The position of the item after which the page begins. */
  @TextParam({ max: MAX_POSITION_LENGTH })
  after?: string;

  /** The position of the item with which the page ends. */
  @TextParam({ max: MAX_POSITION_LENGTH })
  until?: string;

  toView(): ListView {
    const { tag, site, in: searchedIn = 'texts' } = this;
    const words = this.search?.trim();
    const narrowed = { tag, site, search: words === '' ? undefined : words, searchedIn };
    const usual = usualSort(narrowed);
    const sort = this.sort === undefined || this.sort === RELEVANCE ? usual : this.sort;
    return { ...narrowed, sort, state: this.state ?? usualState(narrowed) };
  }
}

type Narrowed = Omit<ListView, 'state' | 'sort'>;

/**
 * Returns the default state of a list. With a tag, a site or a search, the default is the whole list. Otherwise, it is
 * the unread items.
 */
export const usualState = ({ tag, site, search }: Narrowed): ListState =>
  tag === undefined && site === undefined && search === undefined ? STATES.unread : STATES.all;

export const isOfTexts = ({ search, searchedIn }: Narrowed): boolean =>
  search !== undefined && searchedIn === 'texts';

export const usualSort = (view: Narrowed): ListSort => (isOfTexts(view) ? RELEVANCE : NEWEST);

/** Parameters of the page on which the tags of an item are edited. `back` is the page to open afterwards. */
export class EditTagsRequest {
  @IdParam()
  item?: string;

  @TextParam({ max: 6000 })
  back?: string;
}
