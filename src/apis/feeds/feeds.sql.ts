import type { ListSummary } from '../../reading-list/entities/list-summary.js';
import { summaryColumns } from '../../reading-list/entities/list-summary.sql.js';

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
const feedOwner = (columns: string, joined: string): string => `
  SELECT access.user_id AS "userId", access.feed_id AS "feedId",
    floor(extract(epoch FROM access.issued_at))::float8 AS "issuedAt"${columns}
  FROM feed_accesses access
    JOIN users ON users.id = access.user_id AND users.disabled_at IS NULL
    ${joined}
  WHERE access.access_id = $1`;

export const FIND_FEED_OWNER = feedOwner(
  `, ${summaryColumns('list')}`,
  'LEFT JOIN lists list ON list.user_id = access.user_id',
);
/** Where lists lie on other servers. */
export const FIND_FEED_OWNER_ALONE = feedOwner('', '');
