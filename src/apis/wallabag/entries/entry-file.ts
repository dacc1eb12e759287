import { stringify } from 'csv-stringify/sync';

import { plainTitle } from '../../../articles/epub/file-name.js';
import { escapeFormula } from '../../../lib/util/csv-formulas.js';
import { escapedXml } from '../../../lib/util/xml.js';
import type { EntryResponse } from './entry.presenter.js';

const COLUMNS = ['Title', 'URL', 'Content', 'Tags', 'MIME Type', 'Language', 'Creation date'];
const LINE_ENDS = /\r\n|\r|\n/g;

/**
 * Returns an entry as CSV in wallabag's format: a line of column names and a line of values, separated by semicolons.
 */
export function csvOf(entry: EntryResponse): string {
  const { title, url, content, tags, mimetype, language, created_at: createdAt } = entry;
  const text = (content ?? '').replaceAll(LINE_ENDS, ' ');
  const labels = tags.map(({ label }) => label).join(', ');
  const values = [title, url, text, labels, mimetype, language, createdAt];
  return stringify([COLUMNS, values], { delimiter: ';', cast: { string: escapeFormula } });
}

/** Returns an entry as XML, with one element per property. Each value in an array becomes an `entry` element. */
export const xmlOf = (entry: EntryResponse): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${element('result', [entry])}\n`;

/** Returns an XML element for a property. All property names of an entry are valid XML names. */
const element = (name: string, value: unknown): string => `<${name}>${within(value)}</${name}>`;

function within(value: unknown): string {
  if (Array.isArray(value)) {
    return value.map((one) => element('entry', one)).join('');
  }
  return typeof value === 'object' && value !== null
    ? Object.entries(value)
        .map(([name, member]) => element(name, member))
        .join('')
    : escapedXml(value ?? '');
}

/** Returns a file name with only characters that every file system accepts. */
export const fileName = ({ title, id }: EntryResponse, end: string): string =>
  `${plainTitle(title) ?? `entry-${id}`}.${end}`;
