import { defined } from '../../../lib/util/defined.js';
import { type Message, message } from '../../../platform/i18n/message.js';
import {
  isOfTexts,
  type ListView,
  UNREAD,
  usualSort,
} from '../../../reading-list/views/list-view.js';
import { viewParams } from '../../../reading-list/views/view-params.js';
import { RELEVANCE, SORTS } from '../../../reading-list/views/view-sorts.js';
import { STATES } from '../../../reading-list/views/view-states.js';

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
  /** `1` to open the filter form with all its fields. */
  readonly more?: string | undefined;
}

/** Returns the address of a view, or the address of one page of the view. Default values are omitted. */
export function listPath(view: ListView, { after, until, more }: Place = {}): string {
  const given = { ...viewParams(view), list: view.list, after, until, more };
  const query = new URLSearchParams(defined(given)).toString();
  return query === '' ? '/list' : `/list?${query}`;
}

export const tagPath = (tag: string): string => `/list?${new URLSearchParams({ tag }).toString()}`;

export const sitePath = (site: string): string =>
  `/list?${new URLSearchParams({ site }).toString()}`;

const stateLinks = (view: ListView): ChoiceLink[] =>
  Object.values(STATES).map((state) => ({
    href: listPath({ ...view, state }),
    label: state.label,
    isCurrent: state === view.state,
  }));

/** A view of the reader with its own link, besides the states of the list. */
type OtherView = 'lists' | 'tags' | 'highlights' | 'trash';

const OTHER_VIEWS: readonly (readonly [view: OtherView, href: string, label: Message])[] = [
  ['lists', '/list/lists', message('savedLists.title')],
  ['tags', '/list/tags/all', message('common.tags')],
  ['highlights', '/highlights', message('list.highlights')],
  ['trash', '/list/trash', message('trash.title')],
];

const otherLinks = (current?: OtherView): ChoiceLink[] =>
  OTHER_VIEWS.map(([view, href, label]) => ({ href, label, isCurrent: view === current }));

/** Returns the links to all views. The links to the states of the list keep the filters of this view. */
export const tabsOf = (view: ListView, pinned: readonly ChoiceLink[]): ChoiceLink[] =>
  pinned.some(({ isCurrent }) => isCurrent)
    ? inSequence(notCurrent(stateLinks(UNREAD)), pinned, otherLinks())
    : inSequence(stateLinks({ ...view, list: undefined }), pinned, otherLinks());

/** Returns the links to all views for a page that does not show the list. */
export const tabsAt = (current: OtherView, pinned: readonly ChoiceLink[]): ChoiceLink[] =>
  inSequence(notCurrent(stateLinks(UNREAD)), pinned, otherLinks(current));

const notCurrent = (links: readonly ChoiceLink[]): ChoiceLink[] =>
  links.map((link) => ({ ...link, isCurrent: false }));

/**
 * The failed pages are near the end, because most people open this view seldom. The link to the lists is only shown to
 * users who have pinned lists, or on the page of the lists itself.
 */
const inSequence = (
  states: readonly ChoiceLink[],
  pinned: readonly ChoiceLink[],
  [lists, ...others]: readonly ChoiceLink[],
): ChoiceLink[] => [
  ...states.slice(0, -1),
  ...pinned,
  ...(lists !== undefined && (pinned.length > 0 || lists.isCurrent) ? [lists] : []),
  ...others.slice(0, -1),
  ...states.slice(-1),
  ...others.slice(-1),
];

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
