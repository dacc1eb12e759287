import { type Reader, Unreadable } from '../common/http/wire-reader.js';
import { parseTagNames, splitTags, type TagName } from './list/tag-name.js';

const UNREADABLE = new Unreadable('must be tags, separated by commas or in an array');

/** Tags as one text with commas, or as an array of names; a number is text to clients in loosely typed languages. */
export const readTags: Reader<readonly TagName[]> = (value) => {
  const given = typeof value === 'string' ? splitTags(value) : [value].flat();
  const texts = given.map((text) => (Number.isFinite(text) ? String(text) : text));
  return (areTexts(texts) ? parseTagNames(texts) : undefined) ?? UNREADABLE;
};

const areTexts = (values: readonly unknown[]): values is readonly string[] =>
  values.every((value) => typeof value === 'string');
