import { MAIL_QUEUES } from '../../apis/e-reader-mail/mail-queues.sql.js';
import { PICTURE_QUEUE } from '../../articles/images/picture.sql.js';
import { PAGE_QUEUES } from '../../articles/resolver/page-queues.sql.js';
import { SECURITY_MAIL_QUEUE } from '../../auth/security-mails/security-mail.sql.js';
import type { QueueStatement } from '../../platform/jobs/queue-state.js';
import { EVENT_QUEUE } from '../../reading-list/events/event.sql.js';
import { TEXT_QUEUE } from '../../reading-list/texts/item-text.sql.js';
import { IMPORT_QUEUE } from '../../transfer/import/import.sql.js';

/** All queues in the database. */
export const QUEUES: readonly QueueStatement[] = [
  ...PAGE_QUEUES,
  PICTURE_QUEUE,
  IMPORT_QUEUE,
  TEXT_QUEUE,
  EVENT_QUEUE,
  ...MAIL_QUEUES,
  SECURITY_MAIL_QUEUE,
];
