/*
 * The statements that queue mails are raw SQL, because TypeORM cannot insert the result of a query.
 */
import { queueStatement } from '../../platform/jobs/queue-state.js';
import { AuditKind } from '../entities/audit-kinds.js';
import { Audience } from '../entities/security-mail.entity.js';

/**
 * The number of events of the kind $2 in the last hour that concern the account $1. The latest entries are enough,
 * because the audit log limits the entries of an account.
 */
const LATELY = `(
  SELECT coalesce(sum(count), 0) AS events FROM (
    SELECT kind, at, count FROM audit_entries
    WHERE (user_id = $1::bigint OR $1::bigint IS NULL AND user_id IS NULL) AND NOT is_refusal
    ORDER BY id DESC LIMIT 200) latest
  WHERE kind = $2::text AND at > now() - interval '1 hour')`;

interface Mailing {
  readonly audience: Audience;
  /** The condition for a recipient. */
  readonly recipients: string;
  readonly email?: string;
  /** The email address of the changed account, for the details. */
  readonly account?: string;
}

/** An administrator is disabled before the deletion of the own account, and gets a mail about it all the same. */
const IS_ENABLED = `(recipient.disabled_at IS NULL OR $2::text = '${AuditKind.AccountDeleted}')`;

/**
 * Queues a mail to each recipient, unless the account had more than $7 events of the kind in the last hour. The mail
 * about the event with the number $7 says that it is the last one. The lock waits for the deletion of a recipient, who
 * then gets no mail.
 */
const queue = ({ audience, recipients, email = 'recipient.email', account }: Mailing): string => `
  INSERT INTO security_mails (user_id, email, language, time_zone, date_format, has_password, audience, kind, actor,
    address, device, details)
  SELECT recipient.id, ${email}, coalesce(recipient.language, recipient.browser_language), recipient.time_zone,
    recipient.date_format, recipient.password_hash IS NOT NULL, '${audience}', $2::text, $3::text,
    $4::text, $5::text, $6::jsonb || CASE WHEN lately.events = $7::integer THEN '{"isLast": true}' ELSE '{}' END::jsonb${account === undefined ? '' : ` || jsonb_strip_nulls(jsonb_build_object('account', ${account}))`}
  FROM users AS recipient CROSS JOIN ${LATELY} AS lately
  WHERE ${IS_ENABLED} AND ${recipients} AND lately.events <= $7::integer
  ORDER BY recipient.id
  FOR KEY SHARE OF recipient`;

const IS_CONFIRMED = 'recipient.email_verified_at IS NOT NULL';

/** The statements that queue mails, by audience. $8 is the previous email address. */
export const QUEUE: Readonly<Record<Audience, string>> = {
  [Audience.Owner]: queue({
    audience: Audience.Owner,
    recipients: `recipient.id = $1::bigint AND ${IS_CONFIRMED}`,
  }),
  [Audience.PreviousAddress]: queue({
    audience: Audience.PreviousAddress,
    recipients: 'recipient.id = $1::bigint',
    email: '$8::text',
    account: 'recipient.email',
  }),
  [Audience.Administrators]: queue({
    audience: Audience.Administrators,
    recipients: `recipient.role = 'administrator' AND recipient.id IS DISTINCT FROM $1::bigint AND ${IS_CONFIRMED}`,
    account: '(SELECT email FROM users WHERE id = $1::bigint)',
  }),
};

const DUE = 'security_mails WHERE due_at <= now()';

/** The queue of the metrics. */
export const SECURITY_MAIL_QUEUE = queueStatement({
  queue: 'security-mails',
  rows: DUE,
  oldest: `SELECT min(due_at) FROM ${DUE}`,
});
