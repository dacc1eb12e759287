// Writes an export like Pocket's: a ZIP with parts of 10,000 rows.
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { ZipFile } from 'yazl';

const ROWS_A_PART = 10_000;
const SAVED_SINCE = 1_400_000_000;
const HOSTS = 2000;
const TAGS = 300;

/** Returns row `at` of user `who`. The result is deterministic. */
export const rowOf = (who, at) => {
  const title = `"How row ${at} came to be, and ""what"" we learn from it ${who}"`;
  const url = `https://site${at % HOSTS}.example/${who}/articles/${at}/on-the-matter-of-${at % 997}`;
  const tags = at % 3 === 0 ? `topic ${at % TAGS}|year ${2012 + (at % 14)}` : '';
  return `${title},${url},${SAVED_SINCE + at * 97},${tags},${at % 4 === 0 ? 'archive' : 'unread'}\n`;
};

function* partOf(who, first, end) {
  yield 'title,url,time_added,tags,status\n';
  for (let at = first; at < end; at += 1) yield rowOf(who, at);
}

export async function writePocketZip(path, { who, rows }) {
  const zip = new ZipFile();
  for (let first = 0; first < rows; first += ROWS_A_PART) {
    const name = `part_${String(first / ROWS_A_PART).padStart(6, '0')}.csv`;
    const end = Math.min(first + ROWS_A_PART, rows);
    zip.addReadStreamLazy(name, (done) => done(null, Readable.from(partOf(who, first, end))));
  }
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(path));
}
