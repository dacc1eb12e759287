import { type Reader, textReader, Unreadable } from '../../common/http/wire-reader.js';
import { canonicalDomain } from '../list/canonical-domain.js';
import { folded } from '../list/folding.js';
import type { ItemFilter } from '../list/item-filter.js';
import { parseTagName, splitTags } from '../list/tag-name.js';

const UNTAGGED = '_untagged_';
const MAX_TAG_LENGTH = 200;
const MAX_DOMAIN_LENGTH = 300;

const readTagText = textReader({ max: MAX_TAG_LENGTH });
const readDomainText = textReader({ max: MAX_DOMAIN_LENGTH });

/**
 * A tag by its name, or the reserved name for items without any. Several names with commas between are the key of
 * no tag, and find nothing.
 */
export const readTagFilter: Reader<NonNullable<ItemFilter['tag']>> = (value) => {
  const text = readTagText(value);
  if (text instanceof Unreadable) {
    return text;
  }
  const names = splitTags(text).filter((name) => name.trim() !== '');
  return names.length > 1 ? { key: folded(names.join(',')) } : readOneTag(names.join(''));
};

function readOneTag(text: string): NonNullable<ItemFilter['tag']> | Unreadable {
  if (text.trim().toLowerCase() === UNTAGGED) {
    return 'untagged';
  }
  const tag = parseTagName(text);
  return tag === undefined ? new Unreadable('must be one tag') : { key: tag.key };
}

/** A host, from what a person would write. */
export const readDomain: Reader<string> = (value) => {
  const text = readDomainText(value);
  return text instanceof Unreadable
    ? text
    : (canonicalDomain(text) ?? new Unreadable('must be a domain'));
};
