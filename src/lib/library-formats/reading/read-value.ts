import type { PassageRange } from '../format.js';
import { Members, MOST_VALUES } from './members.js';
import { unixSeconds } from './seconds.js';

const TRUE: readonly unknown[] = [true, 1, '1', 'true'];
const FALSE: readonly unknown[] = [false, 0, '0', 'false'];

/** Returns the fields of a JSON value that is an object. Returns no fields for any other value. */
export const membersOf = (value: unknown): Members =>
  value instanceof Members ? value : new Members();

/**
 * Returns the values of a list, or the field values of an object that is used as a list. Returns at most MOST_VALUES
 * values.
 */
export function listOf(value: unknown): readonly unknown[] {
  const all: readonly unknown[] = Array.isArray(value) ? value : membersOf(value).values();
  return all.slice(0, MOST_VALUES);
}

/** Returns a value that is a text, or a number as a text. Returns an empty text for any other value. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

export const secondsOf = (value: unknown): number | undefined => unixSeconds(textOf(value));

/** Returns the value if it is an integer of at least 1. Returns undefined for any other value. */
export function countOf(value: unknown): number | undefined {
  const count = Number(textOf(value));
  return Number.isSafeInteger(count) && count > 0 ? count : undefined;
}

export function flagOf(value: unknown): 0 | 1 | undefined {
  if (TRUE.includes(value)) {
    return 1;
  }
  return FALSE.includes(value) ? 0 : undefined;
}

/** Words that mean true or false in tables. `flagOf` accepts other values, such as `0` and `true`. */
const FLAGS: ReadonlyMap<string, 0 | 1> = new Map<string, 0 | 1>([
  ['yes', 1],
  ['y', 1],
  ['on', 1],
  ['x', 1],
  ['no', 0],
  ['n', 0],
  ['off', 0],
]);

/**
 * Returns 1 for a word that means true in a table, and 0 for a word that means false. Upper and lower case are equal.
 */
export function flagOfWord(word: string): 0 | 1 | undefined {
  const lower = word.toLowerCase();
  return flagOf(lower) ?? FLAGS.get(lower);
}

/**
 * Returns the texts of a list. If an entry of the list is an object, its text is the first of its fields `members` that
 * has text, because each tool uses another name for this field.
 */
export const textsOf = (value: unknown, ...members: readonly string[]): readonly string[] =>
  listOf(value).map((one) => textOf(one) || firstText(membersOf(one), ...members));

/** Returns the text of the first field that is not blank. Does not mark the fields after it as read. */
export function firstText(members: Members, ...names: readonly string[]): string {
  for (const name of names) {
    const text = textOf(members.get(name));
    if (text.trim() !== '') {
      return text;
    }
  }
  return '';
}

/**
 * Returns the tags in a value. Different tools write tags as a list of texts, as a list of objects with names, or as
 * one text with commas.
 */
export const tagsOf = (value: unknown, ...members: readonly string[]): readonly string[] =>
  typeof value === 'string' ? value.split(',') : textsOf(value, ...members);

/** Joins the texts of several fields that the user wrote. Skips blank texts. */
export const joinTexts = (...texts: readonly string[]): string =>
  texts
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .join('\n\n');

/**
 * Returns the ranges of a highlight. Returns undefined if the value contains no ranges, or if one of them is
 * incomplete.
 */
export function rangesOf(value: unknown): readonly PassageRange[] | undefined {
  const all = listOf(value);
  const ranges = all.map((one) => rangeOf(membersOf(one))).filter((one) => one !== undefined);
  return ranges.length === 0 || ranges.length < all.length ? undefined : ranges;
}

/** Returns a range of a highlight. Its offsets may be texts, because old versions of wallabag export them as texts. */
function rangeOf(members: Members): PassageRange | undefined {
  const [start, end] = [textOf(members.get('start')), textOf(members.get('end'))];
  const [startOffset, endOffset] = ['startOffset', 'endOffset'].map((name) =>
    offsetOf(members.get(name)),
  );
  return startOffset === undefined || endOffset === undefined
    ? undefined
    : { start, startOffset, end, endOffset };
}

const LARGEST_OFFSET = 2 ** 31 - 1;

function offsetOf(value: unknown): number | undefined {
  const text = textOf(value);
  return /^\d+$/.test(text) && Number(text) <= LARGEST_OFFSET ? Number(text) : undefined;
}

/**
 * Matches a name in quotes, as in lists of JSON and Python. If the quote is not closed, matches all following text, so
 * that the text is not searched again.
 */
const QUOTED = /"((?:[^"\\]|\\.?)*)(?:"|$)|'((?:[^'\\]|\\.?)*)(?:'|$)/gs;
const ESCAPE = /\\(.)/gs;

/**
 * Returns the tags in one text. They may be written as `["a","b"]`, as `['a', 'b']`, or as names with commas in
 * between.
 */
export function tagList(text: string): readonly string[] {
  const trimmed = text.trim();
  if (!trimmed.startsWith('[')) {
    return trimmed.split(',');
  }
  return fromJson(trimmed) ?? fromQuotes(trimmed);
}

function fromJson(text: string): readonly string[] | undefined {
  try {
    const names: unknown = JSON.parse(text);
    return Array.isArray(names) ? names.map(textOf) : undefined;
  } catch {
    return undefined;
  }
}

const fromQuotes = (text: string): readonly string[] =>
  [...text.matchAll(QUOTED)].map(([, double, single]) =>
    (double ?? single ?? '').replaceAll(ESCAPE, '$1'),
  );

/** The statuses in Pocket's tables and in Satchel's own export. */
export const POCKET_STATUSES: ReadonlyMap<string, 0 | 1> = new Map<string, 0 | 1>([
  ['unread', 0],
  ['archive', 1],
]);

/**
 * Names of folders that a tool has created itself. Such folders do not become tags, because their names say nothing
 * about the pages.
 */
const ROOT_FOLDERS: ReadonlySet<string> = new Set([
  '',
  'bookmarks',
  'bookmarks bar',
  'bookmarks menu',
  'bookmarks toolbar',
  'bookmarksbar',
  'bookmarksmenu',
  'com.apple.readinglist',
  'export',
  'favorites',
  'favorites bar',
  'favourites',
  'favourites bar',
  'imported',
  'mobile bookmarks',
  'other bookmarks',
  'other favorites',
  'other favourites',
  'reading list',
  'unorganized',
  'unsorted',
]);

/**
 * The maximum length of a folder's name that is compared with the names of folders that tools create. The limit saves
 * time, because the comparison runs for each page of the folder.
 */
const MAX_NAME = 100;

export const isRootFolder = (name: string): boolean =>
  name.length <= MAX_NAME && ROOT_FOLDERS.has(name.trim().toLowerCase());
