import { message } from '../platform/i18n/message.js';
import { type Reader, textReader, Unreadable } from '../pocket-api/param-readers.js';
import { type Address, canonicalDomain, normalAddress } from './list/address.js';
import { folded } from './list/item-texts.js';
import { parseTagName, parseTagNames, splitTags, type TagName, UNTAGGED } from './list/tag-name.js';
import type { ItemFilter } from './query/items-wanted.js';

/**
 * The maximum length of a parameter with the name of a saved list, in UTF-16 code units. Each of the characters of a
 * name may need two units.
 */
export const MAX_LIST_NAME_LENGTH = 200;

/** Reads a parameter with the address of a page. */
export const readAddress: Reader<Address> = (value) =>
  // Rejects JSON numbers such as 1.5, because `normalAddress` would accept the text `1.5` as an address.
  (typeof value === 'string' ? normalAddress(value) : undefined) ??
  new Unreadable('must be an http or https URL of at most 4096 bytes', message('errors.address'));

const UNREADABLE = new Unreadable(
  'must be tags, separated by commas or in an array',
  message('errors.tags'),
);

/**
 * Reads tags from an array of names or a comma-separated text. Numbers are accepted as names, because clients in
 * loosely typed languages send them.
 */
export const readTags: Reader<readonly TagName[]> = (value) => {
  const given = typeof value === 'string' ? splitTags(value) : [value].flat();
  const texts = given.map((text) => (Number.isFinite(text) ? String(text) : text));
  return (areTexts(texts) ? parseTagNames(texts) : undefined) ?? UNREADABLE;
};

const areTexts = (values: readonly unknown[]): values is readonly string[] =>
  values.every((value) => typeof value === 'string');

const readTagText = textReader({ max: 200 });

const readDomainText = textReader({ max: 300 });

/**
 * Reads the name of a tag, or the reserved name for items without tags. A text with commas is accepted, but no tag has
 * such a name, so the filter finds nothing.
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

/** Reads a domain. Accepts all forms in which people write a host, such as with a scheme. */
export const readDomain: Reader<string> = (value) => {
  const text = readDomainText(value);
  return text instanceof Unreadable
    ? text
    : (canonicalDomain(text) ?? new Unreadable('must be a domain', message('errors.site')));
};
