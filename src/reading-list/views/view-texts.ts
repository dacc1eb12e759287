import { type Message, message } from '../../platform/i18n/message.js';
import { type Reader, Unreadable } from '../../pocket-api/param-readers.js';
import { type TagName, UNTAGGED } from '../list/tag-name.js';
import { readDomain, readTags } from '../list-param-readers.js';
import type { ItemFilter } from '../query/items-wanted.js';

/** A filter whose value a user types. */
export interface TextFilter {
  /** The value of the parameter. */
  readonly text: string;
  /** The separate values in the text, such as the names of tags. */
  readonly parts: readonly string[];
  readonly filter: ItemFilter;
}

/** The names of the filters whose values a user types. They are the names of the parameters. */
export type TextName =
  'tag' | 'anytag' | 'nottag' | 'site' | 'addedfrom' | 'addedto' | 'readfrom' | 'readto';

interface TextField {
  readonly label: Message;
  readonly type: 'tags' | 'site' | 'date';
  readonly read: Reader<TextFilter>;
  /** True if the form shows the field only on request. */
  readonly isRare: boolean;
}

const MOST_TAGS = 10;

const INVALID_TAGS = new Unreadable(
  `must be at most ${MOST_TAGS} tags, separated by commas`,
  message('errors.tag'),
);

/** Joins the values of a parameter that an address contains several times. */
const joined = (value: unknown): unknown =>
  Array.isArray(value) && value.every((one) => typeof one === 'string') ? value.join(',') : value;

/** Reads tags that are separated by commas, or that are the values of a repeated parameter. */
const tagsReader =
  (filterOf: (keys: readonly string[]) => ItemFilter): Reader<TextFilter> =>
  (value) => {
    const tags = readTags(joined(value));
    return tags instanceof Unreadable || tags.length === 0 || tags.length > MOST_TAGS
      ? INVALID_TAGS
      : ofTags(tags, filterOf);
  };

function ofTags(
  tags: readonly TagName[],
  filterOf: (keys: readonly string[]) => ItemFilter,
): TextFilter {
  const parts = tags.map(({ name }) => name);
  return { text: parts.join(', '), parts, filter: filterOf(tags.map(({ key }) => key)) };
}

const readEveryTag = tagsReader(([key = '', ...tags]) => ({
  tag: { key },
  ...(tags.length > 0 && { tags }),
}));

/** Returns the filter for items with all of these tags. Returns undefined if there are no names. */
export function tagsFilter(names: readonly string[]): TextFilter | undefined {
  const filter = names.length === 0 ? undefined : readEveryTag(names);
  return filter instanceof Unreadable ? undefined : filter;
}

/** Reads tags that an item must have, or the reserved name for items without tags. */
const readTag: Reader<TextFilter> = (value) =>
  typeof value === 'string' && value.trim().toLowerCase() === UNTAGGED
    ? { text: UNTAGGED, parts: [UNTAGGED], filter: { tag: 'untagged' } }
    : readEveryTag(value);

const readSite: Reader<TextFilter> = (value) => {
  const domain = readDomain(value);
  return domain instanceof Unreadable
    ? domain
    : { text: domain, parts: [domain], filter: { domain } };
};

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DAY = 86_400;

const INVALID_DATE = new Unreadable('must be a date such as 2026-01-31', message('errors.date'));

/** Reads a date in UTC. `filterOf` gets the first second of the day, and the first second of the following day. */
const dateReader =
  (filterOf: (from: number, below: number) => ItemFilter): Reader<TextFilter> =>
  (value) => {
    const text = typeof value === 'string' ? value.trim() : '';
    const from = DATE.test(text) ? Date.parse(`${text}T00:00:00Z`) / 1000 : NaN;
    // Date.parse accepts 31 February as a day of March.
    return from >= 0 && new Date(from * 1000).toISOString().startsWith(text)
      ? { text, parts: [text], filter: filterOf(from, from + DAY) }
      : INVALID_DATE;
  };

/**
 * The filters whose values a user types, in the order of the form. Each row has the parameter, the label, and the
 * filter, whose SQL is in `reading-list/query`.
 */
export const TEXT_FILTERS: Readonly<Record<TextName, TextField>> = {
  tag: { label: message('list.filters.tag.label'), type: 'tags', read: readTag, isRare: false },
  anytag: {
    label: message('list.filters.anytag.label'),
    type: 'tags',
    read: tagsReader((anyTag) => ({ anyTag })),
    isRare: true,
  },
  nottag: {
    label: message('list.filters.nottag.label'),
    type: 'tags',
    read: tagsReader((noTag) => ({ noTag })),
    isRare: true,
  },
  site: { label: message('list.filters.site.label'), type: 'site', read: readSite, isRare: false },
  addedfrom: {
    label: message('list.filters.addedfrom.label'),
    type: 'date',
    read: dateReader((from) => ({ added: { from } })),
    isRare: true,
  },
  addedto: {
    label: message('list.filters.addedto.label'),
    type: 'date',
    read: dateReader((_from, below) => ({ added: { below } })),
    isRare: true,
  },
  readfrom: {
    label: message('list.filters.readfrom.label'),
    type: 'date',
    read: dateReader((from) => ({ read: { from } })),
    isRare: true,
  },
  readto: {
    label: message('list.filters.readto.label'),
    type: 'date',
    read: dateReader((_from, below) => ({ read: { below } })),
    isRare: true,
  },
};

/** The typed value of each filter. */
export type TextFilters = Readonly<Partial<Record<TextName, TextFilter | undefined>>>;

/** The names of the typed filters, in the order of the form. */
export const TEXT_NAMES: readonly TextName[] = [
  ...(['tag', 'anytag', 'nottag', 'site'] as const),
  ...(['addedfrom', 'addedto', 'readfrom', 'readto'] as const),
];
