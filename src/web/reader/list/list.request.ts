import { type Reader, textReader, Unreadable } from '../../../pocket-api/param-readers.js';
import { ChoiceParam, CustomParam, IdParam, TextParam } from '../../../pocket-api/params.js';
import { readDomain, readTagFilter } from '../../../reading-list/list-param-readers.js';
import type { ItemFilter, ItemOrder } from '../../../reading-list/query/items-wanted.js';

/** What a person calls the parts of a list. */
export type StateName = 'unread' | 'archive' | 'favorites' | 'all';

/** Which items of the list a person looks at, and in which order. */
export interface ListView {
  readonly state: StateName;
  /** The tag as it is written in the address, and what it means. */
  readonly tag: TagWanted | undefined;
  readonly site: string | undefined;
  readonly search: string | undefined;
  readonly searchedIn: SearchedIn;
  readonly sort: SortName;
}

/** What a search looks into: words of titles, addresses and articles, or any part of titles and addresses. */
type SearchedIn = 'texts' | 'titles';

/** With a search in texts, what is most about it may come first. */
export type SortName = ItemOrder | 'relevance';

interface TagWanted {
  readonly text: string;
  readonly filter: NonNullable<ItemFilter['tag']>;
}

const STATES: Readonly<Record<StateName, StateName>> = {
  unread: 'unread',
  archive: 'archive',
  favorites: 'favorites',
  all: 'all',
};

const SEARCHED: Readonly<Record<SearchedIn, SearchedIn>> = { texts: 'texts', titles: 'titles' };

const SORTS: Readonly<Record<SortName, SortName>> = {
  relevance: 'relevance',
  newest: 'newest',
  oldest: 'oldest',
  title: 'title',
  site: 'site',
};

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

/** The parameters of the list and of its pages. */
export class ListRequest {
  @ChoiceParam(STATES)
  state?: StateName;

  @CustomParam(readTag)
  tag?: TagWanted;

  @CustomParam(readDomain)
  site?: string;

  @TextParam({ max: MAX_SEARCH_LENGTH })
  search?: string;

  @ChoiceParam(SEARCHED)
  in?: SearchedIn;

  @ChoiceParam(SORTS)
  sort?: SortName;

  /** The page begins behind this position. */
  @TextParam({ max: MAX_POSITION_LENGTH })
  after?: string;

  /** The page ends with this position. */
  @TextParam({ max: MAX_POSITION_LENGTH })
  until?: string;

  toView(): ListView {
    const { tag, site, in: searchedIn = 'texts' } = this;
    const words = this.search?.trim();
    const narrowed = { tag, site, search: words === '' ? undefined : words, searchedIn };
    const usual = usualSort(narrowed);
    const sort = this.sort === undefined || this.sort === 'relevance' ? usual : this.sort;
    return { ...narrowed, sort, state: this.state ?? usualState(narrowed) };
  }
}

type Narrowed = Omit<ListView, 'state' | 'sort'>;

/** What has a tag is looked for in the whole list, as is a site or a word. */
export const usualState = ({ tag, site, search }: Narrowed): StateName =>
  tag === undefined && site === undefined && search === undefined ? 'unread' : 'all';

export const isOfTexts = ({ search, searchedIn }: Narrowed): boolean =>
  search !== undefined && searchedIn === 'texts';

export const usualSort = (view: Narrowed): SortName => (isOfTexts(view) ? 'relevance' : 'newest');

/** Whose tags are edited, and where the person goes then. */
export class EditTagsRequest {
  @IdParam()
  item?: string;

  @TextParam({ max: 6000 })
  back?: string;
}
