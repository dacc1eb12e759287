import {
  EXPORT_FORMATS,
  type ExportFormatName,
} from '../../lib/library-formats/writing/export-formats.js';
import { paramsOf } from '../../platform/common/openapi.js';
import { choiceReader, choiceSchema } from '../../pocket-api/param-readers.js';
import { FlagParam, RequiredParam } from '../../pocket-api/params.js';
import { v3Operation } from '../../pocket-api/v3.openapi.js';

const NAMES = Object.fromEntries(Object.keys(EXPORT_FORMATS).map((name) => [name, name]));

/** The parameters of `/v3/export` (docs/api/export.md). */
export class ExportRequest {
  @RequiredParam(choiceReader(NAMES), {
    ...choiceSchema(NAMES),
    description: 'The format of the file.',
  })
  format!: ExportFormatName;

  @FlagParam({
    description: '1: the file includes the articles. Only for the format `jsonl`.',
    default: 0,
  })
  articles?: boolean;
}

const FILE = { type: 'string' } as const;

export const EXPORT_OPERATION = v3Operation({
  id: 'export',
  summary: 'Export the whole list',
  description:
    'Permission: retrieve. Returns a snapshot of the list as a file. Except for the format `zip`, the answer begins after the service has written the whole file. The format `zip` also contains stored pictures and snapshots, and an instance sends at most two such archives at the same time. A user can run one export at a time, and an instance runs at most two exports at the same time. Further calls return 503 `service_busy`.',
  request: {
    name: 'ExportRequest',
    params: paramsOf(ExportRequest),
    description: 'A body of at most 64 KB.',
    examples: {
      unknown: {
        summary: 'An unknown format',
        body: { format: 'punched-cards' },
        status: 400,
      },
    },
  },
  answer: {
    status: 200,
    description: 'The file.',
    headers: {
      'Content-Disposition': {
        description: 'The suggested name of the file.',
        schema: { type: 'string' },
      },
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
