import {
  MOST_COUNTED,
  type NotImportedField,
  type NotImportedReport,
} from '../../lib/library-formats/not-imported.js';
import { type Message, message } from '../../platform/i18n/message.js';

/**
 * Returns one sentence for each field that was not imported, such as "Not imported: column `Summary` (12 rows)".
 * Returns no sentences if `report` is null.
 */
export function notImportedMessages(report: NotImportedReport | null): readonly Message[] {
  const { fields, more } = report ?? { fields: [], more: 0 };
  const sentences = fields.map(notImportedMessage);
  if (more === 0) {
    return sentences;
  }
  const values = { fields: String(more) };
  return [
    ...sentences,
    more === MOST_COUNTED
      ? message('imports.notImported.atLeastMore', values)
      : message('imports.notImported.more', values),
  ];
}

function notImportedMessage({ path, kind, name, rows }: NotImportedField): Message {
  const field = message(`imports.notImported.kinds.${kind}`, { name });
  return message(kind === 'file' ? 'imports.notImported.file' : 'imports.notImported.field', {
    field: path === '' ? field : message('imports.notImported.inFile', { path, field }),
    count: rows,
    rows: String(rows),
  });
}
