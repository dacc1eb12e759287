import type { ItemFilter, ItemsWanted, PageOfItems } from '../query/items-wanted.js';
import { isOfTexts, type ListView } from './list-view.js';
import { ANY_LENGTH, FILTER_NAMES } from './view-filters.js';
import { isByReadingTime } from './view-sorts.js';
import { STATES } from './view-states.js';

/** Converts a view of the list to a query for items. */
export function wantedOf(view: ListView, page: PageOfItems): ItemsWanted {
  const { state, tag, site, language, search, sort } = view;
  const filter: ItemFilter = {
    ...(isByReadingTime(sort) && { words: ANY_LENGTH }),
    ...state.filter,
    ...chosenFilters(view),
    ...(language !== undefined && { language }),
    ...(tag !== undefined && { tag: tag.filter }),
    ...(site !== undefined && { domain: site }),
    ...(search !== undefined && (isOfTexts(view) ? { text: search } : { search })),
  };
  return {
    filter,
    page,
    withTotal: isCounted(view),
    timeOrder: state.timeOrder,
    ...sort.wanted,
  };
}

/** Returns the filters of all selected choices as one filter. */
const chosenFilters = ({ choices }: ListView): ItemFilter =>
  FILTER_NAMES.reduce((filter, name) => ({ ...filter, ...choices[name]?.filter }), {});

/**
 * Returns true if the list stores the number of items of a view. For other views, the page shows no
 * number, because counting the items would take too long.
 */
const isCounted = (view: ListView): boolean =>
  view.search === undefined && !isByReadingTime(view.sort) && hasCounters(view);

const hasCounters = ({ state, tag, site, language, choices }: ListView): boolean =>
  [site, language, choices.time, choices.progress, choices.failed].every(
    (one) => one === undefined,
  ) &&
  choices.kind?.filter.isPdf !== true &&
  (tag === undefined || tag.filter === 'untagged' || (state === STATES.all && !choices.kind));
