import { isOfTexts, type ListView, usualSort, usualState } from './list-view.js';
import { FILTER_NAMES } from './view-filters.js';
import { RELEVANCE } from './view-sorts.js';
import { TEXT_NAMES } from './view-texts.js';

/**
 * Returns the value of the parameter `sort` in the address of a view. Returns undefined for the
 * default sort order. Relevance is the default for full-text searches, and is not available for
 * other views.
 */
const givenSort = (view: ListView): string | undefined =>
  view.sort === usualSort(view) || view.sort === RELEVANCE ? undefined : view.sort.name;

const isOfTitles = (view: ListView): boolean => view.search !== undefined && !isOfTexts(view);

/** Returns the parameters of all filters of a view, except the search. */
export const filterParams = ({
  texts,
  language,
  choices,
}: ListView): Readonly<Record<string, string | undefined>> => ({
  ...Object.fromEntries(TEXT_NAMES.map((name) => [name, texts[name]?.text])),
  language,
  ...Object.fromEntries(FILTER_NAMES.map((name) => [name, choices[name]?.name])),
});

/** The parameters of a view by name. A parameter with its default value is undefined. */
export type ViewParams = Readonly<Record<string, string | undefined>>;

/** Returns the parameters from which `ListRequest` reads the same view again. */
export const viewParams = (view: ListView): ViewParams => ({
  state: view.state === usualState(view) ? undefined : view.state.name,
  ...filterParams(view),
  search: view.search,
  in: isOfTitles(view) ? 'titles' : undefined,
  sort: givenSort(view),
});
