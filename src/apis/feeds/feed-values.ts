import { hash } from 'node:crypto';

import { withoutControls } from '../../lib/util/clean-text.js';
import { writableDate } from '../../lib/util/iso-date.js';
import type { ItemRow } from '../../reading-list/entities/item.entity.js';
import { mediaOf } from '../../reading-list/get/page.presenter.js';

/** Formats Unix seconds as a date and time in RFC 3339, in UTC. */
export const formatTime = (seconds: number): string =>
  writableDate(seconds)
    .toISOString()
    .replace(/\.\d+Z$/, 'Z');

/**
 * Puts a text on one line. Removes control characters, because some control characters reverse the writing direction of
 * the text after them.
 */
export const lineOf = (text: string): string =>
  withoutControls(text.toWellFormed()).replaceAll(/\s+/g, ' ').trim();

export const authorsOf = (row: ItemRow): string[] =>
  mediaOf(row)
    .authors.map(({ name }) => lineOf(name))
    .filter((name) => name !== '');

/** Matches a language tag (RFC 5646). The language that a web page declares can be any text, so it must be checked. */
const LANGUAGE_TAG = /^[a-z]{2,8}(?:-[a-z0-9]{1,8})*$/i;

/** Returns the language tag of the item's page, or undefined if the page has no valid tag. */
export const languageOf = ({ lang }: ItemRow): string | undefined =>
  LANGUAGE_TAG.test(lang) ? lang : undefined;

const UUID_BYTES = 16;
const UUID = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/;

/**
 * Returns a URN for a name: a UUID of version 8 (RFC 9562), computed from a hash of the name. The same name always has
 * the same URN.
 */
export const uuidUrn = (name: string): string =>
  hash('sha256', name)
    .slice(0, 2 * UUID_BYTES)
    .replace(UUID, 'urn:uuid:$1-$2-8$3-8$4-$5');
