import { membersOf } from '../../common/openapi/member.js';
import { v3Operation } from '../../reading-list/http/v3.operation.js';
import { ExportRequest } from './export.request.js';

const FILE = { type: 'string' } as const;

export const EXPORT_OPERATION = v3Operation({
  id: 'export',
  summary: 'Take the whole list along',
  description:
    'Permission: retrieve. The list as it is at one moment, as a file to be saved. The answer begins when the file is made. A person has one export at a time, and a service makes two at once; others are asked to come back in a moment.',
  request: {
    name: 'ExportRequest',
    members: membersOf(ExportRequest),
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
    },
  },
  errors: ['service_busy'],
});
