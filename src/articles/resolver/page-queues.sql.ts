import { queueStatement } from '../../platform/jobs/queue-state.js';
import { PagePriority } from '../../reading-list/pages/page-requests.js';

/** The condition that the index `page_requests_queue_idx` contains a request. */
const NEW = `page_id IS NULL AND retry_at IS NULL`;

/**
 * The requests of one priority that were never postponed. The oldest entry is the one that is fetched next, because
 * the index has no order by time alone.
 */
const newRequests = (queue: string, priority: number) =>
  queueStatement({
    queue,
    rows: `page_requests WHERE ${NEW} AND priority = ${priority}`,
    oldest: `SELECT requested_at FROM page_requests WHERE ${NEW} AND priority = ${priority}
      ORDER BY priority, turn, requested_at LIMIT 1`,
  });

/** The condition that a postponed request is due. The index on `retry_at` needs the priority. */
const DUE = `page_id IS NULL AND retry_at <= now() AND priority IN (${Object.values(PagePriority).join(', ')})`;

const oldestDue = (priority: number): string => `(SELECT retry_at FROM page_requests
      WHERE page_id IS NULL AND retry_at <= now() AND priority = ${priority} ORDER BY retry_at LIMIT 1)`;

/** The queues of the resolver. */
export const PAGE_QUEUES = [
  newRequests('saved-pages', PagePriority.Saved),
  newRequests('imported-pages', PagePriority.Imported),
  queueStatement({
    queue: 'postponed-pages',
    rows: `page_requests WHERE ${DUE}`,
    oldest: `SELECT least(${Object.values(PagePriority).map(oldestDue).join(', ')})`,
  }),
  queueStatement({ queue: 'delivery', rows: 'page_requests WHERE page_id IS NOT NULL' }),
  queueStatement({
    queue: 'sent-pages',
    rows: 'sent_pages',
    oldest: 'SELECT min(leased_until) FROM sent_pages WHERE leased_until < now()',
  }),
];
