import { type Message, message } from '../../../platform/i18n/message.js';
import { UNTAGGED } from '../../../reading-list/list/tag-name.js';
import { type ListView } from '../../../reading-list/views/list-view.js';
import {
  FILTER_NAMES,
  type FilterName,
  languageName,
} from '../../../reading-list/views/view-filters.js';
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
  const { tag, site, search, language } = view;
  const isUntagged = tag?.text.trim().toLowerCase() === UNTAGGED;
  const all: readonly (Narrowing | undefined)[] = [
    tag && narrowing(isUntagged ? 'untagged' : 'tag', tag.text, { ...view, tag: undefined }),
    site === undefined ? undefined : narrowing('site', site, { ...view, site: undefined }),
    language === undefined
      ? undefined
      : narrowing('language', languageName(language), { ...view, language: undefined }),
    ...FILTER_NAMES.map((name) => chosen(view, name)),
    search === undefined ? undefined : narrowing('search', search, { ...view, search: undefined }),
  ];
  return all.filter((one) => one !== undefined);
}

function chosen(view: ListView, name: FilterName): Narrowing | undefined {
  const choice = view.choices[name];
  const choices = { ...view.choices, [name]: undefined };
  return choice && narrowing('choice', choice.label, { ...view, choices });
}

const narrowing = (
  name: 'tag' | 'untagged' | 'site' | 'search' | 'language' | 'choice',
  value: string | Message,
  without: ListView,
): Narrowing => ({
  label: message(`list.narrowings.${name}`, { value }),
  title: message(`list.book.${name}`, { value }),
  withoutHref: listPath(without),
});
