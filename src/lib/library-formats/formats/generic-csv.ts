import type { AnnotationToImport } from '../format.js';
import { csvFormat, type CsvRow } from '../reading/csv-format.js';
import { itemFrom } from '../reading/item-from.js';
import { flagOfWord, isRootFolder, joinTexts, tagList } from '../reading/read-value.js';
import { unixSeconds } from '../reading/seconds.js';

/** The possible names of the column that contains the address of the page. */
const URLS = ['url', 'link', 'href', 'uri', 'address'];
const TITLES = ['title', 'name'];
const TAGS = ['tags', 'tag', 'labels', 'keywords', 'tag_names'];
const LISTS = ['folder', 'folders', 'collection', 'collections', 'list', 'lists', 'category'];
const NOTES = ['note', 'notes', 'comment', 'comments'];
const QUOTES = ['highlight', 'highlights', 'selection', 'quote'];
const ADDED = [
  ...['time_added', 'created', 'created_at', 'date_added', 'added', 'added_at', 'saved_at'],
  ...['date added', 'date saved', 'saved date', 'creation date', 'created at', 'timestamp', 'date'],
];
const UPDATED = ['time_updated', 'updated', 'updated_at', 'date_modified', 'modified'];
const READ = ['time_read', 'read_at', 'archived_at', 'finished_at', 'read at', 'date read'];
const FAVORITES = [
  ...['favorite', 'favourite', 'favorites', 'favorited', 'is_favorite', 'is_favourite'],
  ...['starred', 'is_starred', 'star', 'is_marked', 'important', 'liked', 'pinned'],
];
const STATES = ['status', 'state'];
/** Names of columns whose value is true if the user has finished the page. */
const DONE_FLAGS = ['is_archived', 'archived', 'archive', 'is_read', 'read', 'done'];
/** Names of columns whose value is true if the user has not read the page yet. */
const OPEN_FLAGS = ['unread', 'is_unread', 'to_read', 'toread', 'to read', 'in queue'];

const STATUSES = new Map<string, 0 | 1>([
  ...['unread', 'new', 'inbox', 'later', 'to read', 'active'].map((name) => [name, 0] as const),
  ...['archive', 'archived', 'read', 'done', 'finished'].map((name) => [name, 1] as const),
]);

/**
 * The minimum number, in unix seconds, that is recognised as the time at which the user finished a page. A smaller
 * number is a percentage or a number of pages.
 */
const EARLIEST = 100_000_000;

/**
 * The format of any table with a column of addresses. The other columns are recognised by names that most services use.
 */
export const genericCsv = csvFormat({
  name: 'csv',
  recognitions: [{ has: [URLS] }],
  leftOut: { id: ['id', 'uid', 'uuid'] },
  itemOf: (row) => {
    const timeRead = unixSeconds(row.text(...READ)) ?? firstMeaning(row, DONE_FLAGS, timeOf);
    return itemFrom({
      url: row.text(...URLS),
      title: row.text(...TITLES),
      tags: tagsIn(row),
      folders: LISTS.flatMap((column) => foldersIn(row.text(column))),
      status: statusOf(row) ?? (timeRead === undefined ? undefined : 1),
      favorite: strongest(FAVORITES.map((column) => row.meaning(column, flagOfWord))),
      timeAdded: unixSeconds(row.text(...ADDED)),
      timeUpdated: unixSeconds(row.text(...UPDATED)),
      timeRead,
      annotations: QUOTES.map((column): AnnotationToImport => ({ quote: row.text(column) })),
      note: joinTexts(...NOTES.map((column) => row.text(column))),
    });
  },
});

/**
 * Returns the status of a row. A column with a status such as "archived" wins over columns with flags. Among columns
 * with flags, a true flag wins over a false flag.
 */
function statusOf(row: CsvRow): 0 | 1 | undefined {
  const named = firstMeaning(row, STATES, (text) => STATUSES.get(text.toLowerCase()));
  const isDone = strongest(DONE_FLAGS.map((column) => row.meaning(column, doneFlagOf)));
  const isOpen = strongest(OPEN_FLAGS.map((column) => row.meaning(column, flagOfWord)));
  const byOpen = isOpen === undefined ? undefined : isOpen === 1 ? 0 : 1;
  return named ?? (isDone === 1 ? 1 : (byOpen ?? isDone));
}

function firstMeaning<T>(
  row: CsvRow,
  columns: readonly string[],
  meaningOf: (text: string) => T | undefined,
): T | undefined {
  return columns.map((column) => row.meaning(column, meaningOf)).find((one) => one !== undefined);
}

/**
 * Returns 1 if the value of a column means that the user has finished the page, and 0 if the value means the opposite.
 * A time means that the user finished the page at this time.
 */
const doneFlagOf = (text: string): 0 | 1 | undefined =>
  flagOfWord(text) ?? (timeOf(text) === undefined ? undefined : 1);

function timeOf(text: string): number | undefined {
  const seconds = unixSeconds(text) ?? 0;
  return seconds >= EARLIEST ? seconds : undefined;
}

function strongest(flags: readonly (0 | 1 | undefined)[]): 0 | 1 | undefined {
  return flags.includes(1) ? 1 : flags.find((flag) => flag !== undefined);
}

const tagsIn = (row: CsvRow): readonly string[] =>
  TAGS.flatMap((column) => divided(row.text(column)));

/**
 * Splits a text with several names. Usually, commas separate the names. In a text without commas, white space separates
 * hashtags, and `|` or `;` separates other names.
 */
function divided(names: string): readonly string[] {
  if (/[,[]/.test(names)) {
    return tagList(names);
  }
  const isHashtags = /^#\S+(?:\s+#\S+)*$/.test(names);
  return isHashtags ? names.split(/\s+/).map((name) => name.slice(1)) : names.split(/[|;]/);
}

/**
 * Splits a text with several folders into their paths. Slashes separate the folders of a path, such as `Research/Go`.
 */
const foldersIn = (text: string): readonly (readonly string[])[] =>
  divided(text).map((path) => path.split('/').filter((name) => !isRootFolder(name)));
