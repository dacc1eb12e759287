import type { AnnotationToImport } from '../../item-to-import.js';
import { unixSeconds } from './seconds.js';

/** The members of an object of JSON; none of what is no object. */
export type Members = ReadonlyMap<string, unknown>;

/** An item takes 50 tags and 100 passages: more than these are there to keep a service busy. */
export const MOST_VALUES = 1000;

const TRUE: readonly unknown[] = [true, 1, '1', 'true'];
const FALSE: readonly unknown[] = [false, 0, '0', 'false'];

export function membersOf(value: unknown): Members {
  if (value instanceof Map) {
    return new Map<string, unknown>(value);
  }
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return new Map<string, unknown>(isObject ? Object.entries(value) : []);
}

/** The values of a list, or of an object that is used as one; no row has more than it could mean. */
export function listOf(value: unknown): readonly unknown[] {
  const all: readonly unknown[] = Array.isArray(value) ? value : [...membersOf(value).values()];
  return all.slice(0, MOST_VALUES);
}

/** Empty for what is neither text nor number. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

export const secondsOf = (value: unknown): number | undefined => unixSeconds(textOf(value));

export function flagOf(value: unknown): 0 | 1 | undefined {
  if (TRUE.includes(value)) {
    return 1;
  }
  return FALSE.includes(value) ? 0 : undefined;
}

/** Texts, or what a member of objects says, whose name differs between tools. */
export const textsOf = (value: unknown, ...members: readonly string[]): readonly string[] =>
  listOf(value).map((one) => textOf(one) || firstText(membersOf(one), ...members));

/** The first of the members that has a text which is not blank. */
export const firstText = (members: Members, ...names: readonly string[]): string =>
  names.map((name) => textOf(members.get(name))).find((text) => text.trim() !== '') ?? '';

/** Tags as tools write them: texts, objects that name them, or names with commas between them. */
export const tagsOf = (value: unknown, ...members: readonly string[]): readonly string[] =>
  typeof value === 'string' ? value.split(',') : textsOf(value, ...members);

/** What a person has written about a page, kept as a passage: a list has no other place for it. */
export const noteOf = (value: unknown): readonly AnnotationToImport[] => [{ quote: textOf(value) }];
