import { defined } from '../../../lib/util/defined.js';
import { type Message, message } from '../../../platform/i18n/message.js';
import { UNTAGGED } from '../../../reading-list/list/tag-name.js';
import { isOfTexts, type ListView, usualSort, usualState } from './list.request.js';
import { RELEVANCE, SORTS } from './list-sorts.js';
import { STATES } from './list-states.js';

/**
 * One link in a group of alternatives, such as the sort orders. One link of the group is the
 * current choice.
 */
export interface ChoiceLink {
  readonly href: string;
  readonly label: Message;
  readonly isCurrent: boolean;
}

interface Place {
  readonly after?: string | undefined;
  readonly until?: string | undefined;
}

/**
 * Returns the value of the parameter `sort` in the address of a view. Returns undefined for the
 * default sort order. Relevance is the default for full-text searches, and is not available for
 * other views.
 */
const givenSort = (view: ListView): string | undefined =>
  view.sort === usualSort(view) || view.sort === RELEVANCE ? undefined : view.sort.name;

const isOfTitles = (view: ListView): boolean => view.search !== undefined && !isOfTexts(view);

/** Returns the address of a view, or the address of one page of the view. Default values are omitted. */
export function listPath(view: ListView, { after, until }: Place = {}): string {
  const { state, tag, site, search } = view;
  const given = {
    state: state === usualState(view) ? undefined : state.name,
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

export const stateLinks = (view: ListView): ChoiceLink[] =>
  Object.values(STATES).map((state) => ({
    href: listPath({ ...view, state }),
    label: state.label,
    isCurrent: state === view.state,
  }));

export const sortLinks = (view: ListView): ChoiceLink[] =>
  Object.values(SORTS)
    .filter((sort) => sort !== RELEVANCE || isOfTexts(view))
    .map((sort) => ({
      href: listPath({ ...view, sort }),
      label: sort.label,
      isCurrent: sort === view.sort,
    }));

/**
 * Returns a view with the same search, but only in titles and addresses. `byTexts` returns a view that also searches
 * articles.
 */
export const byTitles = (view: ListView): ListView => inOrder({ ...view, searchedIn: 'titles' });
export const byTexts = (view: ListView): ListView => inOrder({ ...view, searchedIn: 'texts' });

const inOrder = (view: ListView): ListView => ({ ...view, sort: usualSort(view) });

/** A filter by tag, site or search, with the address of the view without this filter. */
export interface Narrowing {
  /**
   * The label of the filter. An element `<value>` encloses the value of the filter, as in `Tag <value>rivers</value>`.
   */
  readonly label: Message;
  /** The label of the filter as plain text for the title of a book, such as `Tag rivers`. */
  readonly title: Message;
  readonly withoutHref: string;
}

export function narrowingsOf(view: ListView): Narrowing[] {
  const { tag, site, search } = view;
  const isUntagged = tag?.text.trim().toLowerCase() === UNTAGGED;
  const all: readonly (Narrowing | undefined)[] = [
    tag && narrowing(isUntagged ? 'untagged' : 'tag', tag.text, { ...view, tag: undefined }),
    site === undefined ? undefined : narrowing('site', site, { ...view, site: undefined }),
    search === undefined ? undefined : narrowing('search', search, { ...view, search: undefined }),
  ];
  return all.filter((one) => one !== undefined);
}

const narrowing = (
  name: 'tag' | 'untagged' | 'site' | 'search',
  value: string,
  without: ListView,
): Narrowing => ({
  label: message(`list.narrowings.${name}`, { value }),
  title: message(`list.book.${name}`, { value }),
  withoutHref: listPath(without),
});
