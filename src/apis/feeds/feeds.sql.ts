import type { CallerStatement, ListSummary } from '../../auth/consumers/caller-lists.js';
import type { LanguageChoice } from '../../auth/user-language.js';

/** The user whose list a feed shows. */
export interface FeedOwner extends ListSummary, LanguageChoice {
  readonly user_id: string;
  readonly feedId: string;
  /** The creation time of the feed address, in Unix seconds. */
  readonly issuedAt: number;
}

/**
 * Finds the user of a feed address, with the version and counters of the user's list. The version
 * shows whether the feed has changed, so an unchanged feed needs no other query. This is raw SQL,
 * because `columns` and `joined` are SQL fragments.
 */
export const FIND_FEED_OWNER: CallerStatement = (listOf) => {
  const { columns, joined } = listOf('access.user_id');
  return `
  SELECT access.user_id, access.feed_id AS "feedId",
    floor(extract(epoch FROM access.issued_at))::float8 AS "issuedAt",
    users.language, users.browser_language AS "browserLanguage"${columns}
  FROM feed_accesses access
    JOIN users ON users.id = access.user_id AND users.disabled_at IS NULL
    ${joined}
  WHERE access.access_id = $1`;
};
