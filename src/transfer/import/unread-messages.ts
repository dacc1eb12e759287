import {
  MOST_COUNTED,
  type UnreadField,
  type UnreadReport,
} from '../../lib/library-formats/unread-fields.js';
import { type Message, message } from '../../platform/i18n/message.js';

/**
 * Returns one sentence for each field that was not imported, such as "Not imported: column `Summary` (12 rows)".
 * Returns no sentences if `report` is null.
 */
export function unreadMessages(report: UnreadReport | null): readonly Message[] {
  const { fields, more } = report ?? { fields: [], more: 0 };
  const sentences = fields.map(unreadMessage);
  if (more === 0) {
    return sentences;
  }
  const values = { fields: String(more) };
  return [
    ...sentences,
    more === MOST_COUNTED
      ? message('imports.unread.atLeastMore', values)
      : message('imports.unread.more', values),
  ];
}

function unreadMessage({ path, kind, name, rows }: UnreadField): Message {
  const field = message(`imports.unread.kinds.${kind}`, { name });
  return message(kind === 'file' ? 'imports.unread.file' : 'imports.unread.field', {
    field: path === '' ? field : message('imports.unread.inFile', { path, field }),
    count: rows,
    rows: String(rows),
  });
}
