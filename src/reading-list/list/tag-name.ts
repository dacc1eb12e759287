import { hash } from 'node:crypto';

import { withoutControls } from '../../lib/util/clean-text.js';
import { folded } from './item-texts.js';

/** In code points. */
export const MAX_TAG_LENGTH = 100;
/** An item has at most 50 tags (tracked-tags.ts); names may be repeated, blank, or of tags it does not have. */
const MAX_TEXTS = 1000;
/** Stands for items without any tag in the filter of `get`. */
export const UNTAGGED = '_untagged_';
const INVISIBLE_ONLY = /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]*$/u;

/** A tag by its id, as it is shown. */
export interface NamedTag {
  readonly id: string;
  readonly name: string;
}

/** A tag as it is shown, and as it is compared: without case (docs/decisions/0016). */
export interface TagName extends NamedTag {
  readonly key: string;
}

/** Undefined for a text that is no tag: invisible, too long, with a comma, or reserved. */
export function parseTagName(text: string): TagName | undefined {
  const name = withoutControls(text).normalize('NFC').replaceAll(/\s+/g, ' ').trim();
  return INVISIBLE_ONLY.test(name) || name.includes(',') || isTooLong(name)
    ? undefined
    : named(name);
}

/**
 * The tags, each once, in order, as first written; blank ones are skipped. Undefined when one of them is no tag, or when
 * they are more than a user can mean.
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

/** Decimal text: the first 63 bits of a hash of the key. Two keys with one id are the same tag. */
export const tagId = (key: string): string =>
  String(hash('sha256', key, 'buffer').readBigUInt64BE() >> 1n);

function named(name: string): TagName | undefined {
  const key = folded(name);
  return key === UNTAGGED ? undefined : { name, key, id: tagId(key) };
}

/** Cheap first: a code point is one or two code units. */
const isTooLong = (name: string): boolean =>
  name.length > 2 * MAX_TAG_LENGTH ||
  (name.length > MAX_TAG_LENGTH && Array.from(name).length > MAX_TAG_LENGTH);
