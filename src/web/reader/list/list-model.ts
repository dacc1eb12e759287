import type { ItemRow } from '../../../reading-list/entities/item.entity.js';
import { isOfTexts, type ListView, usualSort } from './list.request.js';
import {
  byTexts,
  byTitles,
  emptyText,
  headingOf,
  listPath,
  narrowingsOf,
  sortLinks,
  stateLinks,
} from './list-links.js';
import type { ItemCard, ListViews } from './list-views.js';

export type PageOfList = Omit<ListViews['reader/list'], 'csrfToken' | 'section' | 'done'>;

/** The data of one page of the list. */
export interface ReadPage {
  readonly view: ListView;
  readonly after: string | undefined;
  readonly rows: readonly ItemRow[];
  readonly total: number | undefined;
  /** The position after which the next page begins. Undefined on the last page. */
  readonly next: string | undefined;
}

/**
 * The outcome of a search. `fell back` means that no article contains the words, so titles and addresses were searched.
 * `incomplete` means that some articles are not searchable yet.
 */
export type SearchOutcome = 'fell back' | 'incomplete' | undefined;

export function pageOf(
  { view, after, total, next }: ReadPage,
  items: readonly ItemCard[],
  outcome: SearchOutcome,
): PageOfList {
  const isFirst = after === undefined;
  return {
    heading: headingOf(view),
    total: totalText(total),
    path: listPath(view, { after }),
    epubHref: listPath(view).replace('/list', '/list/export.epub'),
    states: stateLinks(view),
    sorts: sortLinks(view),
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

const INCOMPLETE =
  'Not all texts are searched yet. What was saved lately is found by its title and its address.';
const FELL_BACK = 'No text has these words. This is what has them in its title or its address.';

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
    searchNotice: outcome && (fellBack ? FELL_BACK : INCOMPLETE),
    otherSearch: fellBack ? undefined : otherSearchOf(view),
  };
}

const otherSearchOf = (view: ListView): PageOfList['otherSearch'] =>
  isOfTexts(view)
    ? { href: listPath(byTitles(view)), label: 'Look at titles and addresses only' }
    : { href: listPath(byTexts(view)), label: 'Look into texts' };

const NUMBERS = new Intl.NumberFormat('en-GB');

function totalText(total: number | undefined): string | undefined {
  if (total === undefined || total === 0) {
    return undefined;
  }
  return total === 1 ? '1 item' : `${NUMBERS.format(total)} items`;
}

/**
 * Returns the hidden fields of the search form. A new search keeps the tag, the site and the order of the view, but not
 * the state.
 */
const keptBySearch = (view: ListView): PageOfList['keptFields'] => {
  const { tag, site, search, searchedIn, sort } = view;
  return [
    ...(tag === undefined ? [] : [{ name: 'tag', value: tag.text }]),
    ...(site === undefined ? [] : [{ name: 'site', value: site }]),
    ...(search === undefined || isOfTexts(view) ? [] : [{ name: 'in', value: searchedIn }]),
    ...(sort === usualSort(view) ? [] : [{ name: 'sort', value: sort }]),
  ];
};
