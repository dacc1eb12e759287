import { type ListSummary, summaryColumns } from '../reading-list/entities/list-summary.js';

/** Whose list a feed address shows. */
export interface FeedOwner extends ListSummary {
  readonly userId: string;
  readonly feedId: string;
  /** Unix seconds. */
  readonly issuedAt: number;
}

/**
 * The user of a feed address with the list summary, in one statement: nothing else is read for a feed that has not
 * changed. SQL, for the columns of the summary are expressions.
 */
export const FIND_FEED_OWNER = `
  SELECT access.user_id AS "userId", access.feed_id AS "feedId",
    floor(extract(epoch FROM access.issued_at))::float8 AS "issuedAt", ${summaryColumns('list')}
  FROM feed_accesses access
    JOIN users ON users.id = access.user_id AND users.disabled_at IS NULL
    LEFT JOIN lists list ON list.user_id = access.user_id
  WHERE access.access_id = $1`;
