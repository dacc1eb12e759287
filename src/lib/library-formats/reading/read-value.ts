import type { PassageRange } from '../format.js';
import { Members, MOST_VALUES } from './members.js';
import { unixSeconds } from './seconds.js';

const TRUE: readonly unknown[] = [true, 1, '1', 'true'];
const FALSE: readonly unknown[] = [false, 0, '0', 'false'];

/** Returns the fields of a JSON object. Returns no fields if the value is not an object. */
export const membersOf = (value: unknown): Members =>
  value instanceof Members ? value : new Members();

/**
 * Returns the values of a list, or the field values of an object that an export uses as a list. Returns at most
 * MOST_VALUES values.
 */
export function listOf(value: unknown): readonly unknown[] {
  const all: readonly unknown[] = Array.isArray(value) ? value : membersOf(value).values();
  return all.slice(0, MOST_VALUES);
}

/** Returns a text unchanged, and a number as a text. Returns an empty text for any other value. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

export const secondsOf = (value: unknown): number | undefined => unixSeconds(textOf(value));

/**
 * Returns the value as a number if it is a positive integer, written as a number or a text. Returns undefined for any
 * other value.
 */
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

/** Words that mean true or false in tables. The function `flagOf` accepts further values, such as `0` and `true`. */
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
 * Returns 1 for a word that means true in a table, 0 for a word that means false, and undefined for any other word.
 * Ignores case.
 */
export function flagOfWord(word: string): 0 | 1 | undefined {
  const lower = word.toLowerCase();
  return flagOf(lower) ?? FLAGS.get(lower);
}

/**
 * Returns the texts of a list. An object in the list contributes its first field in `members` that
 * is not blank, because tools use different names for this field.
 */
export const textsOf = (value: unknown, ...members: readonly string[]): readonly string[] =>
  listOf(value).map((one) => textOf(one) || firstText(membersOf(one), ...members));

/** Returns the first text in the given fields that is not blank. Does not mark the fields after it as read. */
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

/** Joins texts that a user wrote in several fields, with a blank line between them. Skips blank texts. */
export const joinTexts = (...texts: readonly string[]): string =>
  texts
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .join('\n\n');

/**
 * Returns the ranges of a highlight. Returns undefined if the value contains no ranges, or if one of the ranges is
 * incomplete.
 */
export function rangesOf(value: unknown): readonly PassageRange[] | undefined {
  const all = listOf(value);
  const ranges = all.map((one) => rangeOf(membersOf(one))).filter((one) => one !== undefined);
  return ranges.length === 0 || ranges.length < all.length ? undefined : ranges;
}

/**
 * Returns a range of a highlight, or undefined if the range is incomplete. The offsets may be texts, because old
 * versions of wallabag export them as texts.
 */
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
 * Matches a name in quotes, as in lists of JSON and Python. An unclosed quote matches all following
 * text, so that the search does not take quadratic time.
 */
const QUOTED = /"((?:[^"\\]|\\.?)*)(?:"|$)|'((?:[^'\\]|\\.?)*)(?:'|$)/gs;
const ESCAPE = /\\(.)/gs;

/**
 * Returns the tags in a text. The text can be a list such as `["a","b"]` or `['a', 'b']`, or names with commas between
 * them.
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

/** The status of an item for each status in Pocket's tables and in Satchel's own export. */
export const POCKET_STATUSES: ReadonlyMap<string, 0 | 1> = new Map<string, 0 | 1>([
  ['unread', 0],
  ['archive', 1],
]);

/**
 * Names of folders that bookmark tools create themselves. Such folders do not become tags, because their names do not
 * describe the pages.
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
