import type { ErrorCode } from '../../platform/common/error.catalogue.js';
import { objectOf, oneOfTexts, type Operation, ref, text } from '../../platform/common/openapi.js';
import { credentialParameters, V3_ERRORS } from '../../pocket-api/v3.openapi.js';
import type { ImportResponse, NotImportedFieldResponse } from './import.presenter.js';

const count = (description: string) => ({ type: 'integer', minimum: 0, description }) as const;

const IMPORT = objectOf<ImportResponse>({
  id: text('The id of the import, for `/v3/import/{id}`.'),
  state: oneOfTexts(
    ['uploading', 'waiting', 'running', 'done', 'failed', 'cancelled', 'undoing', 'undone'],
    'The state of the import. The final states are `done`, `failed`, `cancelled` and `undone`. Imported items stay in the list, unless the import is undone.',
  ),
  file_name: text('The name of the uploaded file.'),
  format: {
    type: ['string', 'null'],
    description: 'The detected format of the file. Null until the format is known.',
  },
  format_reason: {
    type: ['string', 'null'],
    description:
      'The reason for the detected format, such as "it has the columns `url`, `tags`". Null until the format is known.',
  },
  rows: {
    type: ['integer', 'null'],
    minimum: 0,
    description: 'The number of rows in the file. Null until the rows are counted.',
  },
  rows_done: count('The number of processed rows.'),
  added: count('The number of new items.'),
  changed: count('The number of existing items that got new data from the file.'),
  unchanged: count('The number of existing items without a change.'),
  deleted: count('The number of items that the user has deleted and that stay deleted.'),
  refused: count(
    'The number of rows that contain no item, or whose item cannot be added to the list.',
  ),
  incomplete: count(
    'The number of rows that were imported without a part that the list cannot store.',
  ),
  merged: count('The number of complete rows with the same item as an earlier row of the file.'),
  not_imported: {
    type: 'array',
    items: ref('UnreadField'),
    description:
      'The fields of the file that have values and are not imported. At most 200 fields. Empty until the rows are counted.',
  },
  not_imported_more: count('The number of further fields that are not imported. At most 10,000.'),
  failure: {
    type: ['string', 'null'],
    description:
      'The reason for the failure, as text for the user. Null if the import has not failed.',
  },
  created_at: count('The time at which the import was created, in Unix seconds.'),
  finished_at: {
    type: ['integer', 'null'],
    minimum: 0,
    description:
      'The time at which the import, or its undo, ended, in Unix seconds. Null until then.',
  },
  undo_until: {
    type: ['integer', 'null'],
    minimum: 0,
    description:
      'The time until which the import can be undone, in Unix seconds. Null if it cannot be undone.',
  },
  undo_removed: count('The number of items that the undo has removed.'),
  undo_restored: count('The number of items to which the undo has given their earlier values.'),
  undo_kept: count(
    'The number of items that have stayed, because they were changed or read after the import.',
  ),
  undo_lists: count('The number of saved lists that the undo has deleted.'),
});

const NOT_IMPORTED_FIELD = objectOf<NotImportedFieldResponse>({
  path: text('The path of the file in an archive. Empty if the upload is not an archive.'),
  kind: oneOfTexts(
    ['column', 'key', 'attribute', 'element', 'text', 'file'],
    'The kind of the field.',
  ),
  name: text(
    'The name of the field. For a JSON key, the name is the path of the key, in which `[]` means an element of a list.',
  ),
  rows: count('The number of rows that have a value in this field.'),
});

const STATUS = { const: 1 } as const;
const ID = {
  type: 'string',
  pattern: String.raw`^[1-9]\d{0,17}$`,
  description: 'The id of the import.',
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
    'Permissions: add and modify. Send a multipart body whose last part is the file. Send `consumer_key`, `access_token`, `restore_deleted` and `folders` before the file, or in the query. With `folders=lists`, each folder or collection of the file becomes a saved list. The service answers after it has stored the file, and imports the rows in the background. After a restart of the service, the import continues. A user can have one unfinished import at a time.',
  answer: oneImport('The new import.'),
  also: ['import_unfinished'],
  schemas: {
    Import: IMPORT,
    UnreadField: NOT_IMPORTED_FIELD,
    ImportAnswer: objectOf<{ status: 1; import: ImportResponse }>({
      status: STATUS,
      import: ref('Import'),
    }),
  },
});

export const LIST_IMPORTS_OPERATION = importOperation({
  id: 'imports',
  summary: 'List the latest imports',
  description:
    'Permission: retrieve. Returns the last ten imports, latest first. The service keeps each import for 30 days.',
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
        description: 'The last ten imports, latest first.',
      },
    }),
  },
});

export const FIND_IMPORT_OPERATION = importOperation({
  id: 'import',
  summary: 'Get the state of an import',
  description: 'Permission: retrieve. Returns the current state of the import.',
  pathParameters: { id: ID },
  answer: oneImport('The import.'),
  also: ['not_found'],
});

export const CANCEL_IMPORT_OPERATION = importOperation({
  id: 'cancelImport',
  summary: 'Cancel an import',
  description:
    'Permissions: add and modify. Imported items stay in the list. The call has no effect on an import that has ended.',
  pathParameters: { id: ID },
  answer: oneImport('The import.'),
  also: ['not_found'],
});

export const UNDO_IMPORT_OPERATION = importOperation({
  id: 'undoImport',
  summary: 'Undo an import',
  description:
    'Permissions: add and modify. Removes the items and the saved lists that the import has added, and gives changed items their earlier values. Items that were changed or read after the import stay. The service answers at once, and undoes the import in the background. An import can be undone until `undo_until`, which is 24 hours after its end. The call has no effect on an import that is already undone.',
  pathParameters: { id: ID },
  answer: oneImport('The import.'),
  also: ['not_found', 'import_not_undoable', 'import_unfinished'],
});

export const IMPORT_ROW_ERRORS_OPERATION = importOperation({
  id: 'importRemarks',
  summary: 'Get the report of an import',
  description:
    'Permission: retrieve. Returns CSV in UTF-8 with the rows that were refused, incomplete or merged, followed by the fields that are not imported. The columns are row, path, line, result (refused, incomplete, merged or not imported), reason and excerpt.',
  pathParameters: { id: ID },
  answer: {
    status: 200,
    description: 'The rows in the order of the file, followed by the fields.',
    headers: {
      'Content-Disposition': {
        description: 'The suggested name of the file.',
        schema: { type: 'string' },
      },
    },
    content: { 'text/csv': { type: 'string' } },
  },
  also: ['not_found'],
});
