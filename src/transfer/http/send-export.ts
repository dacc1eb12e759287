import { pipeline } from 'node:stream/promises';

import type { Response } from 'express';

import type { ExportService, ExportWanted } from '../export/export.service.js';
import { EXPORT_FORMATS } from '../export/export-formats.js';
import { whileConnected } from './while-connected.js';

/** A reader that takes nothing for so long has gone, whatever its connection says. */
const STALLED_MS = 2 * 60_000;

/** Sends a library as a file to be saved; for a client that goes away the rest is not made. */
export async function sendExport(
  response: Response,
  exports: ExportService,
  wanted: ExportWanted,
): Promise<void> {
  const { fileName, contentType } = EXPORT_FORMATS[wanted.format];
  await whileConnected(response, (gone) =>
    exports.spooled(wanted, gone, async ({ file, bytes }) => {
      response.set({
        'Content-Type': contentType,
        'Content-Length': String(bytes),
        'Content-Disposition': `attachment; filename="${fileName}"`,
      });
      response.setTimeout(STALLED_MS, () => response.destroy());
      await pipeline(file.createReadStream({ start: 0, autoClose: false }), response);
    }),
  );
}
