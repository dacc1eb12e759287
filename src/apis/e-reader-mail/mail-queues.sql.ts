import { queueStatement } from '../../platform/jobs/queue-state.js';

/** The condition that a mail is due. */
const due = (table: string, column: string): string => `${table} WHERE ${column} <= now()`;

/** A queue of mails with a time at which each mail is due. */
const dueMails = (queue: string, table: string, column: string) =>
  queueStatement({
    queue,
    rows: due(table, column),
    oldest: `SELECT min(${column}) FROM ${due(table, column)}`,
  });

/** The queues of mails to e-readers, and of digests of lists. */
export const MAIL_QUEUES = [
  dueMails('digests', 'e_reader_settings', 'next_digest_at'),
  dueMails('list-digests', 'list_digests', 'next_at'),
  dueMails('rule-mails', 'list_rule_mails', 'queued_at'),
];
