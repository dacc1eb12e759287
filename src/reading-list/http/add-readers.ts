import { type Reader, Unreadable } from '../../common/http/wire-reader.js';
import { type Address, normalAddress } from '../list/address.js';
import { parseTagNames, splitTags, type TagName } from '../list/tag-name.js';

/** The address of the page to save. */
export const readAddress: Reader<Address> = (value) =>
  // A number is no address, though `1.5` would do for one.
  (typeof value === 'string' ? normalAddress(value) : undefined) ??
  new Unreadable('must be an http or https URL of at most 4096 bytes');

/** Tags as one text with commas, or as an array of names. */
export const readTags: Reader<readonly TagName[]> = (value) => {
  const texts = typeof value === 'string' ? splitTags(value) : value;
  const tags = areTexts(texts) ? parseTagNames(texts) : undefined;
  return tags ?? new Unreadable('must be tags, separated by commas or in an array');
};

const areTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((text) => typeof text === 'string');
