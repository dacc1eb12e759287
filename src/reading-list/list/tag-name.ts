import { hash } from 'node:crypto';

import { withoutControls } from '../../lib/util/clean-text.js';
import { folded } from './item-texts.js';

/** The maximum length of a tag name, in Unicode code points. */
export const MAX_TAG_LENGTH = 100;
/**
 * The maximum number of tag names in one parameter. It is larger than the maximum of 50 tags per item, because a
 * parameter may contain blank or repeated names.
 */
const MAX_TEXTS = 1000;
/** The value of the parameter `tag` that selects items without tags. */
export const UNTAGGED = '_untagged_';
const INVISIBLE_ONLY = /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]*$/u;

/** The id of a tag, and its name as it is shown. */
export interface NamedTag {
  readonly id: string;
  readonly name: string;
}

/** A tag with its id, its name as it is shown, and a key for comparisons that ignore case (docs/decisions/0016). */
export interface TagName extends NamedTag {
  readonly key: string;
}

/**
 * Parses a tag name. Returns undefined if the name is reserved, is too long, contains a comma, or has no visible
 * character.
 */
export function parseTagName(text: string): TagName | undefined {
  const name = visibleName(text);
  return name === undefined || name.includes(',') ? undefined : named(name);
}

/**
 * Returns a name that a person has typed, without control characters and additional spaces. Returns undefined if the
 * name has no visible character or more than MAX_TAG_LENGTH characters.
 */
export function visibleName(text: string): string | undefined {
  const name = withoutControls(text).normalize('NFC').replaceAll(/\s+/g, ' ').trim();
  return INVISIBLE_ONLY.test(name) || isTooLong(name) ? undefined : name;
}

/**
 * Parses tag names in order. Skips blank names, and keeps the first spelling of a repeated name. Returns undefined if a
 * name is invalid, or if there are more than MAX_TEXTS names.
 */
export function parseTagNames(texts: readonly string[]): readonly TagName[] | undefined {
  if (texts.length > MAX_TEXTS) {
    return undefined;
  }
  const tags = new Map<string, TagName>();
  for (const text of texts) {
    const tag = parseTagName(text);
    if (tag !== undefined && !tags.has(tag.id)) {
      tags.set(tag.id, tag);
    }
    if (tag === undefined && text.trim() !== '') {
      return undefined;
    }
  }
  return [...tags.values()];
}

/** Returns a text that a person has typed, with the commas of Arabic, Chinese and Japanese keyboards as plain commas. */
export const withPlainCommas = (text: string): string => text.replaceAll(/[،，、]/g, ',');

export const splitTags = (commaList: string): readonly string[] =>
  commaList.split(',', MAX_TEXTS + 1);

/**
 * Returns the id of a tag as decimal text: the first 63 bits of a hash of the key. Tags whose keys have the same id are
 * treated as one tag.
 */
export const tagId = (key: string): string =>
  String(hash('sha256', key, 'buffer').readBigUInt64BE() >> 1n);

function named(name: string): TagName | undefined {
  const key = folded(name);
  return key === UNTAGGED ? undefined : { name, key, id: tagId(key) };
}

/**
 * Returns true if the name has too many code points. Checks the number of UTF-16 code units first, because this is
 * fast. A code point has one or two code units.
 */
const isTooLong = (name: string): boolean =>
  name.length > 2 * MAX_TAG_LENGTH ||
  (name.length > MAX_TAG_LENGTH && Array.from(name).length > MAX_TAG_LENGTH);
