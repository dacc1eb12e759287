import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { stringify } from 'csv-stringify';
import type { Response } from 'express';

import type { ImportJob, ImportRemark } from '../import-job.js';
import { whileConnected } from './while-connected.js';

const COLUMNS = ['row', 'path', 'line', 'result', 'reason', 'excerpt'];

/** Sends the remarks that are kept as CSV (RFC 4180) in UTF-8, ready to be saved, as long as the client takes them. */
export async function sendRemarks(
  response: Response,
  job: ImportJob,
  remarks: AsyncIterable<ImportRemark>,
): Promise<void> {
  response.set({
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="import-${job.id}.csv"`,
    'X-Source': 'Pocket',
  });
  const rows = Readable.from(rowsOf(job, remarks));
  // A spreadsheet runs what begins like a formula.
  const csv = stringify({ header: true, columns: COLUMNS, escape_formulas: true });
  await whileConnected(response, () => pipeline(rows, csv, response));
}

async function* rowsOf(
  { refused, incomplete }: ImportJob,
  remarks: AsyncIterable<ImportRemark>,
): AsyncGenerator<unknown[]> {
  let more = refused + incomplete;
  for await (const { rowNumber, path, line, isRefused, reason, excerpt } of remarks) {
    yield [rowNumber, path, line, isRefused ? 'refused' : 'incomplete', reason, excerpt];
    more -= 1;
  }
  if (more > 0) {
    yield ['', '', '', '', `and ${more} more rows`, ''];
  }
}
