import { type Message, message, plainText } from '../../../platform/i18n/message.js';
import type { ItemRow } from '../../../reading-list/entities/item.entity.js';
import type { SavedList } from '../../../reading-list/entities/saved-list.entity.js';
import { isOfTexts, type ListView } from '../../../reading-list/views/list-view.js';
import { isByReadingTime } from '../../../reading-list/views/view-sorts.js';
import { STATES } from '../../../reading-list/views/view-states.js';
import { Template } from '../../template.js';
import type { DoneNotice } from '../done-notice.js';
import type { ReaderPage } from '../reader-page.js';
import { type ListsOfPage, listsOfPage, pinnedLinks } from '../saved-lists/shown-lists.js';
import { type Field, type FilterForm, filterFormOf, keptBySearch } from './filter-form.js';
import type { ItemCard } from './item-card.js';
import { byTexts, byTitles, type ChoiceLink, listPath, sortLinks, tabsOf } from './list-links.js';
import { type Narrowing, narrowingsOf } from './narrowings.js';

/** The properties of one page of the list. */
export interface PageOfList {
  readonly heading: Message;
  /** The name of the state of the view, such as `unread`. */
  readonly state: string;
  /** The number of items in the view, as a text. Undefined if the number is 0 or unknown. */
  readonly total: Message | undefined;
  /** The address of this page, for links from other pages back to it. */
  readonly path: string;
  /** The address from which a book with the items of the view can be downloaded. */
  readonly epubHref: string;
  readonly tabs: readonly ChoiceLink[];
  readonly sorts: readonly ChoiceLink[];
  /** True if the view shows only articles, because it is sorted by reading time. */
  readonly isOfArticles: boolean;
  /** The address that opens a random unread article of the view. Undefined for views without unread articles. */
  readonly surpriseHref: string | undefined;
  /** True if the view shows the items whose page could not be fetched. */
  readonly isOfFailed: boolean;
  readonly filters: FilterForm;
  readonly narrowings: readonly Narrowing[];
  readonly saved: ListsOfPage;
  readonly searched: string;
  /** The notice about the search, for example that some articles are not searchable yet. */
  readonly searchNotice: Message | undefined;
  readonly otherSearch: { readonly href: string; readonly label: Message } | undefined;
  /** The hidden fields of the search form, such as the tag and the order of the current view. */
  readonly keptFields: readonly Field[];
  readonly items: readonly ItemCard[];
  /** The message that is shown if the page has no items. */
  readonly emptyText: Message | undefined;
  readonly firstHref: string | undefined;
  readonly previousHref: string | undefined;
  readonly nextHref: string | undefined;
}

interface ListModel extends ReaderPage, PageOfList {
  readonly done: DoneNotice | undefined;
  /** True if the page shows the first steps of a user who has no items. */
  readonly hasFirstSteps: boolean;
  /** The time at which the page was rendered, in Unix seconds. */
  readonly shownAt: number;
}

export const listPage = new Template<ListModel>('reader/list/list', { kind: 'reader' });

/** The data from which one page of the list is built. */
export interface ReadPage {
  readonly view: ListView;
  readonly after: string | undefined;
  readonly rows: readonly ItemRow[];
  readonly total: number | undefined;
  /** The position after which the next page begins. Undefined on the last page. */
  readonly next: string | undefined;
}

/** The data of a page of the list besides its items. */
interface PageContext {
  readonly outcome: SearchOutcome;
  readonly lists: readonly SavedList[];
  /** The codes of the languages that the filter form offers. */
  readonly languages: readonly string[];
  /** True if this service checks whether pages still exist. */
  readonly checksLinks: boolean;
}

/**
 * The outcome of a full-text search. `fell back` means that the search found no items, so only titles and addresses
 * were searched instead. `incomplete` means that some articles are not searchable yet.
 */
export type SearchOutcome = 'fell back' | 'incomplete' | undefined;

export function pageOf(
  { view, after, total = 0, next }: ReadPage,
  items: readonly ItemCard[],
  { outcome, languages, lists, checksLinks }: PageContext,
): PageOfList {
  const isFirst = after === undefined;
  return {
    ...listPartOf(view, lists),
    state: view.state.name,
    total: total === 0 ? undefined : message('list.total', { count: total }),
    path: listPath(view, { after }),
    epubHref: listPath(view).replace('/list', '/list/export.epub'),
    sorts: sortLinks(view),
    isOfArticles: isByReadingTime(view.sort),
    surpriseHref: surpriseHref(view),
    isOfFailed: isOfFailed(view),
    filters: filterFormOf(view, { languages, checksLinks }),
    narrowings: narrowingsOf(view),
    ...searchOf(view, outcome, items.length === 0),
    keptFields: keptBySearch(view),
    items,
    emptyText: items.length === 0 ? emptyText(view, isFirst) : undefined,
    firstHref: isFirst ? undefined : listPath(view),
    previousHref: isFirst ? undefined : listPath(view, { until: after }),
    nextHref: next === undefined ? undefined : listPath(view, { after: next }),
  };
}

function listPartOf(
  view: ListView,
  lists: readonly SavedList[],
): Pick<PageOfList, 'heading' | 'saved' | 'tabs'> {
  const saved = listsOfPage(view, lists);
  const name = saved.shown?.name;
  const heading = name === undefined ? view.state.label : plainText(name);
  return { heading, saved, tabs: tabsOf(view, pinnedLinks(lists, name)) };
}

function searchOf(
  view: ListView,
  outcome: SearchOutcome,
  isEmpty: boolean,
): Pick<PageOfList, 'searched' | 'searchNotice' | 'otherSearch'> {
  const searched = view.search ?? '';
  const fellBack = outcome === 'fell back';
  if (searched === '' || (fellBack && isEmpty)) {
    return { searched, searchNotice: undefined, otherSearch: undefined };
  }
  return {
    searched,
    searchNotice: outcome && message(fellBack ? 'list.search.fellBack' : 'list.search.incomplete'),
    otherSearch: fellBack ? undefined : otherSearchOf(view),
  };
}

const otherSearchOf = (view: ListView): PageOfList['otherSearch'] =>
  isOfTexts(view)
    ? { href: listPath(byTitles(view)), label: message('list.search.inTitles') }
    : { href: listPath(byTexts(view)), label: message('list.search.inTexts') };

const surpriseHref = (view: ListView): string | undefined =>
  view.state === STATES.archive || isOfFailed(view)
    ? undefined
    : listPath(view).replace('/list', '/list/surprise');

/** Returns true for views that show only items whose page could not be fetched. */
export const isOfFailed = ({ state, choices }: ListView): boolean =>
  state === STATES.failed || choices.failed !== undefined;

/** Returns the message for a page without items. */
function emptyText(view: ListView, isFirstPage: boolean): Message {
  if (!isFirstPage) {
    return message('list.empty.end');
  }
  return narrowingsOf(view).length > 0 ? message('list.empty.noMatch') : view.state.emptyText;
}
