import { hash } from 'node:crypto';

import { withoutControls } from '../../lib/util/clean-text.js';
import { folded } from './item-texts.js';

/** Length limit of a tag name, in code points. */
export const MAX_TAG_LENGTH = 100;
/**
 * The most names in one parameter. More than the 50 tags of an item (tracked-tags.ts), because names may be repeated,
 * blank, or of tags that the item does not have.
 */
const MAX_TEXTS = 1000;
/** The value that selects items without tags in the filter of `get`. */
export const UNTAGGED = '_untagged_';
const INVISIBLE_ONLY = /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]*$/u;

/** The id of a tag and the spelling that is shown. */
export interface NamedTag {
  readonly id: string;
  readonly name: string;
}

/** A tag with the spelling that is shown, and a key that ignores case (docs/decisions/0016). */
export interface TagName extends NamedTag {
  readonly key: string;
}

/** Returns undefined if the text is not a valid tag: invisible, too long, with a comma, or reserved. */
export function parseTagName(text: string): TagName | undefined {
  const name = withoutControls(text).normalize('NFC').replaceAll(/\s+/g, ' ').trim();
  return INVISIBLE_ONLY.test(name) || name.includes(',') || isTooLong(name)
    ? undefined
    : named(name);
}

/**
 * Parses tag names, in order and in their first spelling. Skips blank and repeated names. Returns undefined if a name
 * is invalid, or if there are more than MAX_TEXTS.
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

export const splitTags = (commaList: string): readonly string[] =>
  commaList.split(',', MAX_TEXTS + 1);

/** Returns decimal text: the first 63 bits of a hash of the key. Keys with the same id are the same tag. */
export const tagId = (key: string): string =>
  String(hash('sha256', key, 'buffer').readBigUInt64BE() >> 1n);

function named(name: string): TagName | undefined {
  const key = folded(name);
  return key === UNTAGGED ? undefined : { name, key, id: tagId(key) };
}

/** Checks the length in code units first, which is cheap. A code point has one or two code units. */
const isTooLong = (name: string): boolean =>
  name.length > 2 * MAX_TAG_LENGTH ||
  (name.length > MAX_TAG_LENGTH && Array.from(name).length > MAX_TAG_LENGTH);
