import { zipped } from '../../common/zipped.js';
import type { Library } from './exported-item.js';
import { writeJsonLines } from './formats/write-jsonl.js';
import { writeNetscape } from './formats/write-netscape.js';
import { pocketFiles } from './formats/write-pocket-csv.js';
import { writePocketHtml } from './formats/write-pocket-html.js';
import { inChunks } from './text-chunks.js';

export interface ExportOptions {
  /** The texts of articles too, in the format that has a place for them. */
  readonly withArticles: boolean;
}

interface ExportFormat {
  /** What the file is called when nobody calls it anything else. */
  readonly fileName: string;
  readonly contentType: string;
  readonly write: (library: Library, options: ExportOptions) => AsyncIterable<string | Buffer>;
}

/** The formats in which a library leaves (docs/api/export.md). */
export const EXPORT_FORMATS = {
  jsonl: {
    fileName: 'satchel.jsonl',
    contentType: 'application/x-ndjson',
    write: (library, options) => inChunks(writeJsonLines(library, options)),
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
} as const satisfies Record<string, ExportFormat>;

export type ExportFormatName = keyof typeof EXPORT_FORMATS;

export const isExportFormat = (text: string): text is ExportFormatName =>
  Object.hasOwn(EXPORT_FORMATS, text);
