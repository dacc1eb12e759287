import { hash } from 'node:crypto';

import type { EntityManager } from 'typeorm';

import { run } from '../../database/statements.js';
import { normalAddress } from './address.js';

/** Who is served first: what somebody waits for, then what came in bulk. */
export const PagePriority = { Saved: 0, Imported: 1 } as const;

export interface RequestedItem {
  readonly itemId: string;
  readonly givenUrl: string;
}

/**
 * A page that is fresh is ready at once, one that failed waits for its time. The n-th page that a person waits for comes
 * after the n-th ones of all others; beyond a thousand the order is that of asking.
 */
const INSERT = `
    INSERT INTO page_requests (user_id, item_id, page_key, url, host, priority, turn, page_id, retry_at)
    SELECT $1, row.item_id, row.page_key, row.url, row.host, $2, waiting.pages + place,
      CASE WHEN page.fresh_until > now() THEN page.page_id END, CASE WHEN page.retry_at > now() THEN page.retry_at END
    FROM (SELECT count(*)::integer AS pages FROM (
        SELECT FROM page_requests WHERE user_id = $1 AND page_id IS NULL LIMIT 1000) first) waiting,
      unnest($3::bigint[], $4::bytea[], $5::text[], $6::text[]) WITH ORDINALITY
        AS row (item_id, page_key, url, host, place)
    LEFT JOIN LATERAL (
      SELECT page_id, fresh_until, retry_at FROM pages WHERE pages.page_key = row.page_key LIMIT 1) page ON true
    ON CONFLICT (user_id, item_id) DO NOTHING`;

const FORGET = `
    WITH gone AS (DELETE FROM pages WHERE owner_id = $1 AND item_id = ANY ($2::bigint[])),
      unread AS (DELETE FROM sent_pages WHERE user_id = $1 AND item_id = ANY ($2::bigint[]))
    DELETE FROM page_requests WHERE user_id = $1 AND item_id = ANY ($2::bigint[])`;

/** One page for all spellings of its URL: the SHA-256 of the normal form. */
export const pageKey = (normalUrl: string): Buffer => hash('sha256', normalUrl, 'buffer');

/** Asks for the pages behind items to be read. */
export async function requestPages(
  manager: EntityManager,
  userId: string,
  items: readonly RequestedItem[],
  priority: number = PagePriority.Saved,
): Promise<void> {
  const asked = items.flatMap(({ itemId, givenUrl }) => {
    const address = normalAddress(givenUrl);
    return address === undefined ? [] : [{ ...address, itemId }];
  });
  if (asked.length === 0) {
    return;
  }
  const values = [
    userId,
    priority,
    asked.map(({ itemId }) => itemId),
    asked.map(({ normalUrl }) => pageKey(normalUrl)),
    asked.map(({ pageUrl }) => pageUrl),
    asked.map(({ domain }) => domain),
  ];
  await run(manager, { text: INSERT, values });
}

/** Nobody waits for the pages of deleted items, and what clients sent of them goes with them. */
export async function forgetPages(
  manager: EntityManager,
  userId: string,
  itemIds: readonly string[],
): Promise<void> {
  if (itemIds.length > 0) {
    await run(manager, { text: FORGET, values: [userId, itemIds] });
  }
}
