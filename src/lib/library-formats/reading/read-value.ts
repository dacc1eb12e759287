import type { PassageRange } from '../format.js';
import { Members, MOST_VALUES } from './members.js';
import { unixSeconds } from './seconds.js';

const TRUE: readonly unknown[] = [true, 1, '1', 'true'];
const FALSE: readonly unknown[] = [false, 0, '0', 'false'];

/** Returns the fields of a JSON object. Returns no fields for any other value. */
export const membersOf = (value: unknown): Members =>
  value instanceof Members ? value : new Members();

/** Returns the values of a list, or of an object that is used as a list. Returns at most MOST_VALUES values. */
export function listOf(value: unknown): readonly unknown[] {
  const all: readonly unknown[] = Array.isArray(value) ? value : membersOf(value).values();
  return all.slice(0, MOST_VALUES);
}

/** Returns a text, or a number as text. Returns an empty text for any other value. */
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

/** Words for true and false in tables, in addition to the values that `flagOf` accepts. */
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
 * Returns 1 or 0 for a word that people and services write into tables for true or false. Ignores the case of letters.
 */
export function flagOfWord(word: string): 0 | 1 | undefined {
  const lower = word.toLowerCase();
  return flagOf(lower) ?? FLAGS.get(lower);
}

/**
 * Returns the texts of the entries in a list. The text of an object is the first of `members` that has text, because
 * the names of the members differ between tools.
 */
export const textsOf = (value: unknown, ...members: readonly string[]): readonly string[] =>
  listOf(value).map((one) => textOf(one) || firstText(membersOf(one), ...members));

/** Returns the first of several fields whose text is not blank. The fields after it do not count as read. */
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
 * Returns tags as tools write them: as a list of texts, as a list of objects with names, or as one text with commas.
 */
export const tagsOf = (value: unknown, ...members: readonly string[]): readonly string[] =>
  typeof value === 'string' ? value.split(',') : textsOf(value, ...members);

/** Joins the texts that a person wrote into several fields. Skips blank texts. */
export const joinTexts = (...texts: readonly string[]): string =>
  texts
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .join('\n\n');

/** Returns the ranges of a highlight. Returns undefined if the highlight has no ranges, or if a range is incomplete. */
export function rangesOf(value: unknown): readonly PassageRange[] | undefined {
  const all = listOf(value);
  const ranges = all.map((one) => rangeOf(membersOf(one))).filter((one) => one !== undefined);
  return ranges.length === 0 || ranges.length < all.length ? undefined : ranges;
}

/**
 * Converts a value to the range of a highlight. Offsets may be texts, because old versions of wallabag write them as
 * texts.
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
 * Matches a quoted name, as JSON and Python write it. An unclosed quote extends to the end of the text, which avoids
 * repeated scans.
 */
const QUOTED = /"((?:[^"\\]|\\.?)*)(?:"|$)|'((?:[^'\\]|\\.?)*)(?:'|$)/gs;
const ESCAPE = /\\(.)/gs;

/** Splits the tags of one field. The field may be `["a","b"]`, `['a', 'b']`, or names separated by commas. */
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

/** The statuses in Pocket's tables. Satchel's own export uses the same statuses. */
export const POCKET_STATUSES: ReadonlyMap<string, 0 | 1> = new Map<string, 0 | 1>([
  ['unread', 0],
  ['archive', 1],
]);

/** Names of folders that tools create. These names do not describe a page, so they do not become tags. */
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
 * The maximum length of a folder's name in characters. Root folders have shorter names, even with some white space. The
 * limit matters because the check runs for each page of a folder.
 */
const MAX_NAME = 100;

export const isRootFolder = (name: string): boolean =>
  name.length <= MAX_NAME && ROOT_FOLDERS.has(name.trim().toLowerCase());
