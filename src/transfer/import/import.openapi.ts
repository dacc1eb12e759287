import type { ErrorCode } from '../../platform/common/error.catalogue.js';
import { objectOf, oneOfTexts, type Operation, ref, text } from '../../platform/common/openapi.js';
import { credentialParameters, V3_ERRORS } from '../../pocket-api/v3.openapi.js';
import type { ImportResponse, UnreadFieldResponse } from './import.presenter.js';

const count = (description: string) => ({ type: 'integer', minimum: 0, description }) as const;

const IMPORT = objectOf<ImportResponse>({
  id: text('For `/v3/import/{id}`.'),
  state: oneOfTexts(
    ['uploading', 'waiting', 'running', 'done', 'failed', 'cancelled'],
    'The last three are ends. What is imported stays, whatever the end.',
  ),
  file_name: text('As it was sent.'),
  format: {
    type: ['string', 'null'],
    description: 'What the file was found to be; null until it has been looked at.',
  },
  format_reason: {
    type: ['string', 'null'],
    description:
      'Why this format was chosen, such as "it has the columns `url`, `tags`". Null until the format is known.',
  },
  rows: { type: ['integer', 'null'], minimum: 0, description: 'How many rows the file has.' },
  rows_done: count('How many of them are done.'),
  added: count('Items that were not in the list.'),
  changed: count('Items of the list that the file had something new of.'),
  unchanged: count('Items that are in the list as they were.'),
  deleted: count('Items that the user has deleted, which stay so.'),
  refused: count('Rows that hold no item.'),
  incomplete: count('Rows that were taken without a part that the list has no place for.'),
  merged: count('Complete rows that share an item with an earlier row of the file.'),
  not_imported: {
    type: 'array',
    items: ref('UnreadField'),
    description:
      'Fields of the file that have values and are not imported. At most 200. Empty until the rows are counted.',
  },
  not_imported_more: count('Number of further fields that are not imported. At most 10,000.'),
  failure: { type: ['string', 'null'], description: 'Why it failed, in words for the user.' },
  created_at: count('Unix seconds.'),
  finished_at: { type: ['integer', 'null'], minimum: 0, description: 'Unix seconds.' },
});

const UNREAD_FIELD = objectOf<UnreadFieldResponse>({
  path: text('The file in an archive. Empty for a file by itself.'),
  kind: oneOfTexts(
    ['column', 'key', 'attribute', 'element', 'text', 'file'],
    'What the field is in the file.',
  ),
  name: text('The name in the file. For a key of JSON, its path: `[]` is an element of a list.'),
  rows: count('Number of rows that have a value in this field.'),
});

const STATUS = { const: 1 } as const;
const ID = {
  type: 'string',
  pattern: String.raw`^[1-9]\d{0,17}$`,
  description: 'The import.',
} as const;

type Facts = Pick<Operation, 'id' | 'summary' | 'description' | 'answer'> &
  Partial<Operation> & { readonly also?: readonly ErrorCode[] };

const importOperation = ({ also = [], parameters = [], ...facts }: Facts): Operation => ({
  tag: 'Moving in and out',
  security: [{ consumerKey: [], accessToken: [] }],
  parameters: [...credentialParameters, ...parameters],
  errors: [...V3_ERRORS, ...also],
  dialect: 'v3',
  ...facts,
});

const oneImport = (description: string): Operation['answer'] => ({
  status: 200,
  description,
  content: { 'application/json': ref('ImportAnswer') },
});

export const START_IMPORT_OPERATION = importOperation({
  id: 'startImport',
  summary: 'Import a file',
  description:
    'Permissions: add and modify. A multipart body whose last part is the file; `consumer_key`, `access_token` and `restore_deleted` stand before it, or in the query. The answer comes when the file is stored; the import goes on in the background, also after a restart. A user has one unfinished import at a time.',
  answer: oneImport('The import has begun.'),
  also: ['import_unfinished'],
  schemas: {
    Import: IMPORT,
    UnreadField: UNREAD_FIELD,
    ImportAnswer: objectOf<{ status: 1; import: ImportResponse }>({
      status: STATUS,
      import: ref('Import'),
    }),
  },
});

export const LIST_IMPORTS_OPERATION = importOperation({
  id: 'imports',
  summary: 'The latest imports',
  description: 'Permission: retrieve. The last ten, the latest first; each is kept for 30 days.',
  answer: {
    status: 200,
    description: 'The imports.',
    content: { 'application/json': ref('ImportsAnswer') },
  },
  schemas: {
    ImportsAnswer: objectOf<{ status: 1; imports: readonly ImportResponse[] }>({
      status: STATUS,
      imports: {
        type: 'array',
        items: ref('Import'),
        description: 'The last ten, the latest first.',
      },
    }),
  },
});

export const FIND_IMPORT_OPERATION = importOperation({
  id: 'import',
  summary: 'How far an import is',
  description: 'Permission: retrieve.',
  pathParameters: { id: ID },
  answer: oneImport('The import.'),
  also: ['not_found'],
});

export const CANCEL_IMPORT_OPERATION = importOperation({
  id: 'cancelImport',
  summary: 'Stop an import',
  description:
    'Permissions: add and modify. What is imported stays; one that has ended stays as it is.',
  pathParameters: { id: ID },
  answer: oneImport('The import.'),
  also: ['not_found'],
});

export const IMPORT_ROW_ERRORS_OPERATION = importOperation({
  id: 'importRemarks',
  summary: 'The rows and fields that were not imported as they are',
  description:
    'Permission: retrieve. CSV in UTF-8 with the columns row, path, line, result (refused, incomplete, merged or not imported), reason and excerpt. Fields that are not imported come last.',
  pathParameters: { id: ID },
  answer: {
    status: 200,
    description: 'The rows in file order, then the fields.',
    headers: {
      'Content-Disposition': {
        description: 'A name for the file.',
        schema: { type: 'string' },
      },
    },
    content: { 'text/csv': { type: 'string' } },
  },
  also: ['not_found'],
});
