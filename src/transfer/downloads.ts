import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import type { Response } from 'express';

import { EXPORT_FORMATS } from '../lib/library-formats/writing/export-formats.js';
import { escapeFormula } from '../lib/util/csv-formulas.js';
import { endWhenStalled } from '../platform/http/stalled-clients.js';
import { english } from '../platform/i18n/translator.js';
import type { ImportJob } from './entities/import-job.entity.js';
import type { ImportRowError } from './entities/import-row-error.entity.js';
import type { ExportService, ExportWanted } from './export/export.service.js';
import { notImportedMessages } from './import/not-imported-messages.js';

/**
 * The maximum number of listeners for one event of a response. Express, the request log and each stream add listeners,
 * so Node's default limit of ten is too low.
 */
const MAX_LISTENERS = 20;
const COLUMNS = ['row', 'path', 'line', 'result', 'reason', 'excerpt'];

/** Sends all items of a user as a file download. Stops writing the export if the client disconnects. */
export async function sendExport(
  response: Response,
  exports: ExportService,
  wanted: ExportWanted,
): Promise<void> {
  const { fileName, contentType } = EXPORT_FORMATS[wanted.format];
  await whileConnected(response, (gone) =>
    exports.download(wanted, gone, async ({ content, bytes }) => {
      response.set({
        'Content-Type': contentType,
        'Content-Disposition': `attachment; filename="${fileName}"`,
        ...(bytes !== undefined && { 'Content-Length': String(bytes) }),
      });
      endWhenStalled(response);
      await pipeline(content, response);
    }),
  );
}

type CountedImport = Pick<ImportJob, 'id' | 'refused' | 'incomplete' | 'merged' | 'notImported'>;

/** Sends the row errors of an import as a CSV download (RFC 4180) in UTF-8. Stops if the client disconnects. */
export async function sendRowErrors(
  response: Response,
  job: CountedImport,
  errors: AsyncIterable<ImportRowError>,
): Promise<void> {
  response.set({
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="import-${job.id}.csv"`,
    'X-Source': 'Pocket',
  });
  const { stringify } = await import('csv-stringify');
  const rows = Readable.from(rowsOf(job, errors));
  const csv = stringify({ header: true, columns: COLUMNS, cast: { string: escapeFormula } });
  await whileConnected(response, () => pipeline(rows, csv, response));
}

async function* rowsOf(
  { refused, incomplete, merged, notImported }: CountedImport,
  errors: AsyncIterable<ImportRowError>,
): AsyncGenerator<unknown[]> {
  let more = refused + incomplete + merged;
  for await (const error of errors) {
    const { rowNumber, path, line, reason, excerpt } = error;
    yield [rowNumber, path, line, resultOf(error), reason, excerpt];
    more -= 1;
  }
  if (more > 0) {
    yield ['', '', '', '', english.text('imports.rowErrors.more', { count: more }), ''];
  }
  for (const sentence of notImportedMessages(notImported)) {
    yield ['', '', '', 'not imported', english.text(sentence), ''];
  }
}

const resultOf = ({ isRefused, isMerged }: ImportRowError): string =>
  isRefused ? 'refused' : isMerged ? 'merged' : 'incomplete';

/**
 * Calls `answer` with a signal that aborts when the client disconnects. Ignores errors of `answer`
 * after the client has disconnected.
 */
async function whileConnected(
  response: Response,
  answer: (gone: AbortSignal) => Promise<void>,
): Promise<void> {
  const gone = new AbortController();
  response.setMaxListeners(MAX_LISTENERS);
  response.once('close', () => {
    gone.abort();
  });
  try {
    await answer(gone.signal);
  } catch (error) {
    if (!gone.signal.aborted) {
      throw error;
    }
  }
}
