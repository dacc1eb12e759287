import { zipped } from '../../util/zipped.js';
import { writeNetscape, writePocketHtml } from './html.js';
import { writeJsonLines } from './jsonl.js';
import { inChunks, type Library } from './library.js';
import { pocketFiles } from './pocket-csv.js';
import { writeWallabag } from './wallabag.js';

export interface ExportOptions {
  /** True if the export contains the articles of pages. Formats without a field for articles ignore this option. */
  readonly withArticles: boolean;
}

interface ExportFormat {
  /** The name of the exported file, unless the user chooses another name. */
  readonly fileName: string;
  readonly contentType: string;
  /** Writes the file. Of the format `zip`, writes only the list in the archive. */
  readonly write: (library: Library, options: ExportOptions) => AsyncIterable<string | Buffer>;
}

/** The export formats (docs/api/export.md). */
export const EXPORT_FORMATS = {
  jsonl: {
    fileName: 'satchel.jsonl',
    contentType: 'application/x-ndjson',
    write: (library, options) => inChunks(writeJsonLines(library, options)),
  },
  zip: {
    fileName: 'satchel.zip',
    contentType: 'application/zip',
    write: (library) => inChunks(writeJsonLines(library, { withArticles: true })),
  },
  'pocket-csv': {
    fileName: 'pocket.zip',
    contentType: 'application/zip',
    write: (library) => zipped(pocketFiles(library)),
  },
  'pocket-html': {
    fileName: 'ril_export.html',
    contentType: 'text/html; charset=utf-8',
    write: (library) => inChunks(writePocketHtml(library)),
  },
  netscape: {
    fileName: 'bookmarks.html',
    contentType: 'text/html; charset=utf-8',
    write: (library) => inChunks(writeNetscape(library)),
  },
  wallabag: {
    fileName: 'wallabag.json',
    contentType: 'application/json; charset=utf-8',
    write: (library) => inChunks(writeWallabag(library)),
  },
} as const satisfies Record<string, ExportFormat>;

export type ExportFormatName = keyof typeof EXPORT_FORMATS;

export const isExportFormat = (text: string): text is ExportFormatName =>
  Object.hasOwn(EXPORT_FORMATS, text);
