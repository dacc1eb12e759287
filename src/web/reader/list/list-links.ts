import { defined } from '../../../lib/util/defined.js';
import { UNTAGGED } from '../../../reading-list/list/tag-name.js';
import {
  isOfTexts,
  type ListView,
  type SortName,
  type StateName,
  usualSort,
  usualState,
} from './list.request.js';

/** A link in a group of alternative links, of which one is the current choice. */
export interface ChoiceLink {
  readonly href: string;
  readonly label: string;
  readonly isCurrent: boolean;
}

const STATE_LABELS: Readonly<Record<StateName, string>> = {
  unread: 'Unread',
  archive: 'Archive',
  favorites: 'Favorites',
  all: 'Everything',
};

const SORT_LABELS: Readonly<Record<SortName, string>> = {
  relevance: 'Relevance',
  newest: 'Newest',
  oldest: 'Oldest',
  title: 'Title',
  site: 'Site',
};

interface Place {
  readonly after?: string | undefined;
  readonly until?: string | undefined;
}

/**
 * Returns the order of a view for its address. Returns undefined for the default order. Relevance is always a default
 * order, because only text searches have it.
 */
const givenSort = (view: ListView): SortName | undefined =>
  view.sort === usualSort(view) || view.sort === 'relevance' ? undefined : view.sort;

const isOfTitles = (view: ListView): boolean => view.search !== undefined && !isOfTexts(view);

/** Returns the address of a view, or the address of one page of the view. Default values are omitted. */
export function listPath(view: ListView, { after, until }: Place = {}): string {
  const { state, tag, site, search } = view;
  const given = {
    state: state === usualState(view) ? undefined : state,
    tag: tag?.text,
    site,
    search,
    after,
    until,
    in: isOfTitles(view) ? 'titles' : undefined,
    sort: givenSort(view),
  };
  const query = new URLSearchParams(defined(given)).toString();
  return query === '' ? '/list' : `/list?${query}`;
}

export const tagPath = (tag: string): string => `/list?${new URLSearchParams({ tag }).toString()}`;

export const sitePath = (site: string): string =>
  `/list?${new URLSearchParams({ site }).toString()}`;

const STATES: readonly StateName[] = ['unread', 'archive', 'favorites', 'all'];
const SORTS: readonly SortName[] = ['newest', 'oldest', 'title', 'site'];

export const stateLinks = (view: ListView): ChoiceLink[] =>
  STATES.map((state) => ({
    href: listPath({ ...view, state }),
    label: STATE_LABELS[state],
    isCurrent: state === view.state,
  }));

export const sortLinks = (view: ListView): ChoiceLink[] =>
  (isOfTexts(view) ? ['relevance' as const, ...SORTS] : SORTS).map((sort) => ({
    href: listPath({ ...view, sort }),
    label: SORT_LABELS[sort],
    isCurrent: sort === view.sort,
  }));

/**
 * Returns a view with the same search, which searches only titles and addresses. `byTexts` also searches the words of
 * articles.
 */
export const byTitles = (view: ListView): ListView => inOrder({ ...view, searchedIn: 'titles' });
export const byTexts = (view: ListView): ListView => inOrder({ ...view, searchedIn: 'texts' });

const inOrder = (view: ListView): ListView => ({ ...view, sort: usualSort(view) });

/** A filter by tag, site or search, with the address of the view without this filter. */
export interface Narrowing {
  readonly label: string;
  readonly value: string;
  readonly withoutHref: string;
}

export function narrowingsOf(view: ListView): Narrowing[] {
  const { tag, site, search } = view;
  const isUntagged = tag?.text.trim().toLowerCase() === UNTAGGED;
  const all: readonly (Narrowing | undefined)[] = [
    tag && {
      label: isUntagged ? 'Items' : 'Tag',
      value: isUntagged ? 'without tags' : tag.text,
      withoutHref: listPath({ ...view, tag: undefined }),
    },
    site === undefined
      ? undefined
      : { label: 'Site', value: site, withoutHref: listPath({ ...view, site: undefined }) },
    search === undefined
      ? undefined
      : {
          label: 'Search',
          value: search,
          withoutHref: listPath({ ...view, search: undefined }),
        },
  ];
  return all.filter((one) => one !== undefined);
}

const NOTHING: Readonly<Record<StateName, string>> = {
  unread: 'Nothing is left to read. Pages that you save appear here.',
  archive: 'Nothing is archived yet. Archive what you have read to keep it here.',
  favorites: 'There are no favorites yet. Mark what you want to find again.',
  all: 'Your list is empty. Save a page, or import your list from another service on your account page.',
};

/** Returns the message for a page without items. */
export const emptyText = (view: ListView, isFirstPage: boolean): string => {
  if (!isFirstPage) {
    return 'This is the end of the list.';
  }
  return narrowingsOf(view).length > 0 ? 'Nothing in your list matches.' : NOTHING[view.state];
};

export const headingOf = ({ state }: ListView): string => STATE_LABELS[state];
