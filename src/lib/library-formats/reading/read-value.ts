import type { PassageRange } from '../format.js';
import { Members, MOST_VALUES } from './members.js';
import { unixSeconds } from './seconds.js';

const TRUE: readonly unknown[] = [true, 1, '1', 'true'];
const FALSE: readonly unknown[] = [false, 0, '0', 'false'];

/** Returns the fields of a JSON object. Empty for any other value. */
export const membersOf = (value: unknown): Members =>
  value instanceof Members ? value : new Members();

/** Returns the first `MOST_VALUES` values of a list, or of an object that is used as a list. */
export function listOf(value: unknown): readonly unknown[] {
  const all: readonly unknown[] = Array.isArray(value) ? value : membersOf(value).values();
  return all.slice(0, MOST_VALUES);
}

/** Empty for what is neither text nor number. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

export const secondsOf = (value: unknown): number | undefined => unixSeconds(textOf(value));

/** A whole number from 1 on. */
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

/** The words of tables for true and false, beside those of `flagOf`. */
const FLAGS: ReadonlyMap<string, 0 | 1> = new Map<string, 0 | 1>([
  ['yes', 1],
  ['y', 1],
  ['on', 1],
  ['x', 1],
  ['no', 0],
  ['n', 0],
  ['off', 0],
]);

/** Returns the flag that a word in any case means, as people and services write it into tables. */
export function flagOfWord(word: string): 0 | 1 | undefined {
  const lower = word.toLowerCase();
  return flagOf(lower) ?? FLAGS.get(lower);
}

/** Texts, or a field of objects; the name of the field differs between tools. */
export const textsOf = (value: unknown, ...members: readonly string[]): readonly string[] =>
  listOf(value).map((one) => textOf(one) || firstText(membersOf(one), ...members));

/** Returns the first field with text that is not blank. Fields after it are not read. */
export function firstText(members: Members, ...names: readonly string[]): string {
  for (const name of names) {
    const text = textOf(members.get(name));
    if (text.trim() !== '') {
      return text;
    }
  }
  return '';
}

/** Tags as tools write them: texts, objects that name them, or names with commas between them. */
export const tagsOf = (value: unknown, ...members: readonly string[]): readonly string[] =>
  typeof value === 'string' ? value.split(',') : textsOf(value, ...members);

/** Joins what a person wrote in several fields. Blank fields are left out. */
export const joinTexts = (...texts: readonly string[]): string =>
  texts
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .join('\n\n');

/** Where a passage stands; undefined unless each end is told. */
export function rangesOf(value: unknown): readonly PassageRange[] | undefined {
  const all = listOf(value);
  const ranges = all.map((one) => rangeOf(membersOf(one))).filter((one) => one !== undefined);
  return ranges.length === 0 || ranges.length < all.length ? undefined : ranges;
}

/** Old versions of wallabag write numbers as text. */
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

/** A quoted name, as JSON and Python write it; one that is never closed ends with the field, so that each is read once. */
const QUOTED = /"((?:[^"\\]|\\.?)*)(?:"|$)|'((?:[^'\\]|\\.?)*)(?:'|$)/gs;
const ESCAPE = /\\(.)/gs;

/** The tags of one field: `["a","b"]`, `['a', 'b']`, or names with commas between them. */
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

/** How Pocket's tables call a status, and Satchel's own export after them. */
export const POCKET_STATUSES: ReadonlyMap<string, 0 | 1> = new Map<string, 0 | 1>([
  ['unread', 0],
  ['archive', 1],
]);

/** Folders that tools make by themselves: their names say nothing of a page. */
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

/** Longer than each of them, with some white space: the name of a folder is looked at with each of its pages. */
const MAX_NAME = 100;

export const isRootFolder = (name: string): boolean =>
  name.length <= MAX_NAME && ROOT_FOLDERS.has(name.trim().toLowerCase());
