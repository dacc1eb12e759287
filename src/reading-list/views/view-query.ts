import { type SortKey, sortKeyOf } from '../query/item-order.js';
import type { ItemFilter, ItemsWanted, PageOfItems, TimeSpan } from '../query/items-wanted.js';
import { isOfTexts, type ListView } from './list-view.js';
import { ANY_LENGTH, FILTER_NAMES, type FilterName } from './view-filters.js';
import { isByReadingTime } from './view-sorts.js';
import { STATES } from './view-states.js';
import { TEXT_NAMES } from './view-texts.js';

/** Converts a view of the list to a query for items. `now` is the time from which the last 7 days are counted. */
export const wantedOf = (view: ListView, page: PageOfItems, now: Date): ItemsWanted => ({
  ...itemsOf(view, now),
  page,
});

/** Returns the column and the direction by which a view is sorted. */
export const keyOf = ({ state: { timeOrder }, sort }: ListView): SortKey =>
  sortKeyOf({ timeOrder, ...sort.wanted });

/** Returns the filter and the order of the items in a view. The caller adds the size and the start of the page. */
export function itemsOf(view: ListView, now: Date): Omit<ItemsWanted, 'page'> {
  const { state, language, search, sort } = view;
  const filter: ItemFilter = {
    ...(isByReadingTime(sort) && { words: ANY_LENGTH }),
    ...state.filter,
    ...chosenFilters(view, now),
    ...(language !== undefined && { language }),
    ...(search !== undefined && (isOfTexts(view) ? { text: search } : { search })),
  };
  return {
    filter,
    withTotal: isCounted(view),
    timeOrder: state.timeOrder,
    ...sort.wanted,
  };
}

/** Returns all selected and typed filters as one filter. */
const chosenFilters = ({ choices, texts }: ListView, now: Date): ItemFilter =>
  [
    ...FILTER_NAMES.map((name) => choices[name]?.filterAt(now) ?? {}),
    ...TEXT_NAMES.map((name) => texts[name]?.filter ?? {}),
  ].reduce<ItemFilter>(
    (one, other) => ({
      ...one,
      ...other,
      ...spanOfBoth('added', one, other),
      ...spanOfBoth('read', one, other),
    }),
    {},
  );

/** Returns the span in which both filters overlap, such as from an exact date on and older than a year. */
function spanOfBoth(column: 'added' | 'read', one: ItemFilter, other: ItemFilter): ItemFilter {
  const spans = [one[column], other[column]].filter((span) => span !== undefined);
  return spans.length < 2 ? {} : { [column]: overlapOf(spans) };
}

function overlapOf(spans: readonly TimeSpan[]): TimeSpan {
  const froms = spans.flatMap(({ from }) => from ?? []);
  const belows = spans.flatMap(({ below }) => below ?? []);
  return {
    ...(froms.length > 0 && { from: Math.max(...froms) }),
    ...(belows.length > 0 && { below: Math.min(...belows) }),
  };
}

/**
 * Returns true if the list stores the number of items of a view. For other views, the page shows no
 * number, because counting the items would take too long.
 */
const isCounted = (view: ListView): boolean =>
  view.search === undefined && !isByReadingTime(view.sort) && hasCounters(view);

/** The filters for which the list has counters, except for PDF documents. */
const COUNTED: readonly FilterName[] = ['kind', 'favorite'];

const hasCounters = (view: ListView): boolean =>
  view.language === undefined &&
  view.choices.kind?.name !== 'pdf' &&
  FILTER_NAMES.every((name) => view.choices[name] === undefined || COUNTED.includes(name)) &&
  TEXT_NAMES.every((name) => view.texts[name] === undefined || name === 'tag') &&
  hasTagCounter(view);

/** Returns true if the view has no tag, or if the list counts the items with exactly this tag. */
const hasTagCounter = ({ state, texts: { tag }, choices }: ListView): boolean =>
  tag === undefined ||
  tag.filter.tag === 'untagged' ||
  (tag.parts.length === 1 &&
    state === STATES.all &&
    COUNTED.every((name) => choices[name] === undefined));
