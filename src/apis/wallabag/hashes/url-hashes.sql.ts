/**
 * Selects the next items whose URLs must be hashed. Returns plain rows instead of TypeORM entities, because the
 * creation of entities for up to 200,000 items would be slow.
 */
export const ITEMS_BEHIND = `
  SELECT item_id AS "itemId", stamp AS version, number, given_url, resolved_url FROM items
  WHERE user_id = $1 AND (stamp, item_id) > ($2::bigint, $3::bigint) ORDER BY stamp, item_id LIMIT $4`;

/** Inserts hashes in the order of their primary key, so that two parallel calls cannot deadlock. */
export const ADD_HASHES = `
  INSERT INTO url_hashes (user_id, hash, item_id)
  SELECT $1::bigint, hash, item_id FROM unnest($2::bigint[], $3::bigint[]) AS given (hash, item_id)
  WHERE EXISTS (SELECT FROM lists WHERE user_id = $1) ORDER BY hash, item_id
  ON CONFLICT DO NOTHING`;

/**
 * Stores the version and the id of the last item whose URLs are hashed. Does nothing if another call has already stored
 * a later version or id.
 */
export const MOVE_ON = `
  INSERT INTO hashed_lists AS kept (user_id, version, item_id)
  SELECT user_id, $2::bigint, $3::bigint FROM lists WHERE user_id = $1
  ON CONFLICT (user_id) DO UPDATE SET version = excluded.version, item_id = excluded.item_id
  WHERE (kept.version, kept.item_id) < (excluded.version, excluded.item_id)`;

/**
 * Selects the items that may have the hashes. This is raw SQL, because no entity declares the relation between hashes
 * and items.
 */
export const ITEMS_WITH = `
  SELECT i.item_id AS "itemId", i.stamp AS version, i.number, i.given_url, i.resolved_url
  FROM (SELECT DISTINCT item_id FROM unnest($2::bigint[]) AS one (hash)
      CROSS JOIN LATERAL (SELECT item_id FROM url_hashes WHERE user_id = $1 AND hash = one.hash OFFSET 0) found) h
    CROSS JOIN LATERAL (SELECT * FROM items WHERE user_id = $1 AND item_id = h.item_id OFFSET 0) i`;

/**
 * Selects the items whose pages were redirected to the URLs. Looks up the URLs by MD5, because the
 * index contains only the MD5 of each URL.
 */
export const ITEMS_RESOLVED_TO = `
  SELECT i.item_id AS "itemId", i.stamp AS version, i.number, i.given_url, i.resolved_url
  FROM unnest($2::text[]) AS one (url)
    CROSS JOIN LATERAL (SELECT * FROM items WHERE user_id = $1
      AND md5(resolved_url)::uuid = md5(one.url)::uuid AND resolved_url <> '' OFFSET 0) i
  WHERE i.resolved_url = one.url`;
