import { type Message, message, plainText } from '../../../platform/i18n/message.js';
import { isOfTexts, type ListView, usualSort } from '../../../reading-list/views/list-view.js';
import {
  FILTER_NAMES,
  type FilterChoice,
  type FilterName,
  FILTERS,
  languageName,
} from '../../../reading-list/views/view-filters.js';
import { filterParams } from '../../../reading-list/views/view-params.js';
import { listPath } from './list-links.js';
import type { RejectedText } from './sent-filters.js';

interface Option {
  readonly value: string;
  readonly label: Message;
  readonly isSelected: boolean;
}

/** A selection field of the filter form. */
interface Selection {
  readonly name: string;
  readonly label: Message;
  readonly options: readonly Option[];
}

/** The form with which a user filters the list. */
export interface FilterForm {
  /** The fields that the form keeps: the state, the search and the sort order of the view. */
  readonly keptFields: readonly Field[];
  readonly selections: readonly Selection[];
  readonly tag: string;
  readonly site: string;
  /** The errors of the fields `tag` and `site`. The form is open if there are errors. */
  readonly errors: Readonly<Partial<Record<RejectedText['field'], Message>>>;
  /** The number of filters of the view. */
  readonly count: number;
  /** The address of the view without filters. */
  readonly resetHref: string;
}

export interface Field {
  readonly name: string;
  readonly value: string;
}

/** Returns the filter form of a view. `languages` are the codes of the languages to select from. */
export function filterFormOf(view: ListView, languages: readonly string[]): FilterForm {
  const { tag, site, language, choices } = view;
  const bare = { ...view, tag: undefined, site: undefined, language: undefined, choices: {} };
  const all = [tag, site, language, ...Object.values(choices)];
  return {
    keptFields: [{ name: 'state', value: view.state.name }, ...searchFields(view)],
    selections: [
      ...FILTER_NAMES.map((name) => selectionOf(view, name)),
      ...languageSelection(view, languages),
    ],
    tag: tag?.text ?? '',
    site: site ?? '',
    errors: {},
    count: all.filter((one) => one !== undefined).length,
    resetHref: listPath(bare),
  };
}

/** Returns the form with the invalid texts that a user has sent, and with their errors. */
export const filterFormWith = (
  form: FilterForm,
  rejected: readonly RejectedText[],
): FilterForm => ({
  ...form,
  ...Object.fromEntries(rejected.map(({ field, text }) => [field, text])),
  errors: Object.fromEntries(rejected.map(({ field, error }) => [field, error])),
});

function selectionOf({ choices }: ListView, name: FilterName): Selection {
  const { label, choices: all } = FILTERS[name];
  const each: readonly FilterChoice[] = Object.values(all);
  return {
    name,
    label,
    options: each.map((choice) => ({
      value: choice.name,
      label: choice.label,
      isSelected: choice.name === choices[name]?.name,
    })),
  };
}

/** Returns the selection of a language. Returns no selection if the list has no items with a language. */
function languageSelection(
  { language }: ListView,
  languages: readonly string[],
): readonly Selection[] {
  const codes = [...new Set([...languages, ...(language === undefined ? [] : [language])])];
  const options = codes
    .map((value) => ({ value, name: languageName(value) }))
    .toSorted((one, other) => one.name.localeCompare(other.name, 'en'))
    .map(({ value, name }) => ({
      value,
      label: plainText(name),
      isSelected: value === language,
    }));
  const label = message('list.filters.language.label');
  return options.length === 0 ? [] : [{ name: 'language', label, options }];
}

const searchFields = (view: ListView): Field[] => {
  const { search, searchedIn, sort } = view;
  return [
    ...(search === undefined ? [] : [{ name: 'search', value: search }]),
    ...(search === undefined || isOfTexts(view) ? [] : [{ name: 'in', value: searchedIn }]),
    ...(sort === usualSort(view) ? [] : [{ name: 'sort', value: sort.name }]),
  ];
};

/**
 * Returns the hidden fields of the search form. A new search keeps the filters, the scope and the sort order of the
 * view, but not the state.
 */
export const keptBySearch = (view: ListView): Field[] => [
  ...Object.entries(filterParams(view)).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value }],
  ),
  ...searchFields(view).filter(({ name }) => name !== 'search'),
];
