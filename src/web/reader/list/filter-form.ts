import { LanguageName, type Message, message } from '../../../platform/i18n/message.js';
import { isOfTexts, type ListView, usualSort } from '../../../reading-list/views/list-view.js';
import {
  FILTER_NAMES,
  type FilterChoice,
  type FilterName,
  FILTERS,
} from '../../../reading-list/views/view-filters.js';
import { filterParams } from '../../../reading-list/views/view-params.js';
import { TEXT_FILTERS, TEXT_NAMES, type TextName } from '../../../reading-list/views/view-texts.js';
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
  readonly isRare: boolean;
  /** True if the page sorts the options by their labels. */
  readonly isSorted?: boolean;
}

/** A field of the filter form into which a user types. */
interface TypedField {
  readonly name: TextName;
  readonly label: Message;
  readonly type: 'tags' | 'site' | 'date';
  readonly text: string;
  readonly error: Message | undefined;
  readonly isRare: boolean;
}

/** The form with which a user filters the list. */
export interface FilterForm {
  /** The fields that the form keeps: the state, the search and the sort order of the view. */
  readonly keptFields: readonly Field[];
  readonly selections: readonly Selection[];
  readonly typed: readonly TypedField[];
  /** True if the form shows the rarely used fields too. Always true if the view has such a filter. */
  readonly hasAll: boolean;
  readonly isOpen: boolean;
  /** The number of filters of the view. */
  readonly count: number;
  /** The address of the view without filters. */
  readonly resetHref: string;
}

export interface Field {
  readonly name: string;
  readonly value: string;
}

interface FormContext {
  /** The codes of the languages to select from. */
  readonly languages: readonly string[];
  /** True if this service checks whether pages still exist. Otherwise, the form has no filter for gone pages. */
  readonly checksLinks: boolean;
}

export function filterFormOf(view: ListView, { languages, checksLinks }: FormContext): FilterForm {
  const { texts, language, choices } = view;
  const all = [language, ...Object.values(choices), ...Object.values(texts)];
  return {
    keptFields: [{ name: 'state', value: view.state.name }, ...searchFields(view)],
    selections: [
      ...FILTER_NAMES.filter(
        (name) => name !== 'gone' || checksLinks || choices.gone !== undefined,
      ).map((name) => selectionOf(view, name)),
      ...languageSelection(view, languages),
    ],
    typed: TEXT_NAMES.map((name) => {
      const { label, type, isRare } = TEXT_FILTERS[name];
      return { name, label, type, isRare, text: texts[name]?.text ?? '', error: undefined };
    }),
    hasAll:
      FILTER_NAMES.some((name) => FILTERS[name].isRare && choices[name] !== undefined) ||
      TEXT_NAMES.some((name) => TEXT_FILTERS[name].isRare && texts[name] !== undefined),
    isOpen: false,
    count: all.filter((one) => one !== undefined).length,
    resetHref: listPath({ ...view, texts: {}, language: undefined, choices: {} }),
  };
}

/** Returns the form with the invalid texts that a user has sent, and with their errors. */
export function filterFormWith(
  form: FilterForm,
  rejected: readonly RejectedText[],
  isFull: boolean,
): FilterForm {
  const typed = form.typed.map((field) => {
    const wrong = rejected.find(({ name }) => name === field.name);
    return wrong === undefined ? field : { ...field, ...wrong };
  });
  return {
    ...form,
    typed,
    hasAll:
      form.hasAll || isFull || typed.some(({ error, isRare }) => isRare && error !== undefined),
    isOpen: isFull || rejected.length > 0,
  };
}

function selectionOf({ choices }: ListView, name: FilterName): Selection {
  const { label, choices: all, isRare } = FILTERS[name];
  const each: readonly FilterChoice[] = Object.values(all);
  return {
    name,
    label,
    isRare,
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
  const options = codes.map((value) => ({
    value,
    label: message('plain', { text: new LanguageName(value) }),
    isSelected: value === language,
  }));
  const label = message('list.filters.language.label');
  return options.length === 0
    ? []
    : [{ name: 'language', label, options, isSorted: true, isRare: false }];
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
