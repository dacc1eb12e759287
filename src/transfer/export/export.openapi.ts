import {
  EXPORT_FORMATS,
  type ExportFormatName,
} from '../../lib/library-formats/writing/export-formats.js';
import { paramsOf } from '../../platform/common/openapi.js';
import { choiceReader, choiceSchema } from '../../pocket-api/param-readers.js';
import { FlagParam, RequiredParam } from '../../pocket-api/params.js';
import { v3Operation } from '../../pocket-api/v3.openapi.js';

const NAMES = Object.fromEntries(Object.keys(EXPORT_FORMATS).map((name) => [name, name]));

/** The parameters of export (docs/api/export.md). */
export class ExportRequest {
  @RequiredParam(choiceReader(NAMES), { ...choiceSchema(NAMES), description: 'How it is written.' })
  format!: ExportFormatName;

  @FlagParam({
    description: 'With the texts of the articles; in `jsonl` alone, which has a place for them.',
    default: 0,
  })
  articles?: boolean;
}

const FILE = { type: 'string' } as const;

export const EXPORT_OPERATION = v3Operation({
  id: 'export',
  summary: 'Take the whole list along',
  description:
    'Permission: retrieve. The list as it is at one moment, as a file to be saved. The answer begins when the file is made. A user has one export at a time, and a service makes two at once; others are asked to come back in a moment.',
  request: {
    name: 'ExportRequest',
    params: paramsOf(ExportRequest),
    description: 'At most 64 KB.',
    examples: {
      unknown: {
        summary: 'A format that there is not',
        body: { format: 'punched-cards' },
        status: 400,
      },
    },
  },
  answer: {
    status: 200,
    description: 'The file.',
    headers: {
      'Content-Disposition': { description: 'A name for the file.', schema: { type: 'string' } },
    },
    content: {
      'application/x-ndjson': FILE,
      'application/zip': { type: 'string', contentEncoding: 'binary' },
      'text/html': FILE,
      'application/json': { type: 'array', items: { type: 'object' } },
    },
  },
  errors: ['service_busy'],
});
