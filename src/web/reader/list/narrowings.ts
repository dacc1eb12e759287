import {
  LanguageName,
  type Message,
  message,
  type MessageValue,
} from '../../../platform/i18n/message.js';
import { type ListView } from '../../../reading-list/views/list-view.js';
import {
  FILTER_NAMES,
  type FilterName,
  FILTERS,
} from '../../../reading-list/views/view-filters.js';
import {
  tagsFilter,
  TEXT_FILTERS,
  TEXT_NAMES,
  type TextName,
} from '../../../reading-list/views/view-texts.js';
import { listPath } from './list-links.js';

/** A filter or search of a view, with the address of the view without it. */
export interface Narrowing {
  /**
   * The label of the filter. An element `<value>` encloses the value of the filter, as in `Tag <value>rivers</value>`.
   */
  readonly label: Message;
  /** The label of the filter as plain text for the title of a book, such as `Tag rivers`. */
  readonly title: Message;
  readonly withoutHref: string;
}

/** Returns all filters of a view, and its search. */
export function narrowingsOf(view: ListView): Narrowing[] {
  const { search, language } = view;
  const all: readonly (Narrowing | undefined)[] = [
    ...tagNarrowings(view),
    ...TEXT_NAMES.map((name) => typed(view, name)),
    language === undefined
      ? undefined
      : narrowing('language', new LanguageName(language), { ...view, language: undefined }),
    ...FILTER_NAMES.map((name) => chosen(view, name)),
    search === undefined ? undefined : narrowing('search', search, { ...view, search: undefined }),
  ];
  return all.filter((one) => one !== undefined);
}

/** Returns a narrowing for each tag that all items have. */
function tagNarrowings(view: ListView): readonly Narrowing[] {
  const { texts } = view;
  const isUntagged = texts.tag?.filter.tag === 'untagged';
  const names = texts.tag?.parts ?? [];
  return names.map((name) => {
    const tag = tagsFilter(names.filter((other) => other !== name));
    return narrowing(isUntagged ? 'untagged' : 'tag', name, { ...view, texts: { ...texts, tag } });
  });
}

function typed(view: ListView, name: TextName): Narrowing | undefined {
  const text = view.texts[name]?.text;
  if (text === undefined || name === 'tag') {
    return undefined;
  }
  const without = { ...view, texts: { ...view.texts, [name]: undefined } };
  return name === 'site'
    ? narrowing('site', text, without)
    : labelled(TEXT_FILTERS[name].label, text, without);
}

/** The choices whose labels do not say which filter they belong to. */
const LABELLED: readonly FilterName[] = ['added', 'read'];

function chosen(view: ListView, name: FilterName): Narrowing | undefined {
  const choice = view.choices[name];
  if (choice === undefined) {
    return undefined;
  }
  const without = { ...view, choices: { ...view.choices, [name]: undefined } };
  return LABELLED.includes(name)
    ? labelled(FILTERS[name].label, choice.label, without)
    : narrowing('choice', choice.label, without);
}

const labelled = (label: Message, value: string | Message, without: ListView): Narrowing => ({
  label: message('list.narrowings.field', { label, value }),
  title: message('list.book.field', { label, value }),
  withoutHref: listPath(without),
});

const narrowing = (
  name: 'tag' | 'untagged' | 'site' | 'search' | 'language' | 'choice',
  value: MessageValue,
  without: ListView,
): Narrowing => ({
  label: message(`list.narrowings.${name}`, { value }),
  title: message(`list.book.${name}`, { value }),
  withoutHref: listPath(without),
});
