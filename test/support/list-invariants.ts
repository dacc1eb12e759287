import type { TestDatabase } from './test-database.js';

/** What must hold for each list, whatever happened: a query for each promise, whose rows are the lists that break it. */
const PROMISES: Readonly<Record<string, string>> = {
  'the count of items': `
    SELECT user_id FROM lists l
    WHERE item_count <> (SELECT count(*) FROM items i WHERE i.user_id = l.user_id)`,
  'the counts of items by properties': `
    SELECT user_id FROM lists l WHERE item_count <> (SELECT sum(count) FROM unnest(facet_counts) count)`,
  'the counts of items by tag': `
    SELECT user_id FROM tags t
    WHERE item_count <> (SELECT count(*) FROM item_tags it WHERE it.user_id = t.user_id AND it.tag_id = t.tag_id)`,
  'each item is listed below its tags': `
    SELECT user_id FROM items i
    WHERE cardinality(tags) <> (SELECT count(*) FROM item_tags it WHERE it.user_id = i.user_id AND it.item_id = i.item_id)`,
  'each item has words, or waits for them': `
    SELECT user_id FROM items i
    WHERE NOT EXISTS (SELECT FROM item_texts t WHERE t.user_id = i.user_id AND t.item_id = i.item_id)
      AND NOT EXISTS (SELECT FROM due_texts d WHERE d.user_id = i.user_id AND d.item_id = i.item_id)`,
  'no item is newer than its list': `
    SELECT user_id FROM items i JOIN lists l USING (user_id) WHERE i.stamp > l.stamp`,
  'a deleted item is not in the list': `
    SELECT user_id FROM tombstones d JOIN items i USING (user_id, item_id)`,
};

/** Returns the promises that the database breaks, with the lists. */
export async function brokenPromises(database: TestDatabase): Promise<Record<string, string[]>> {
  const broken: Record<string, string[]> = {};
  for (const [promise, sql] of Object.entries(PROMISES)) {
    const rows = await database.query<{ user_id: string }>(sql);
    if (rows.length > 0) {
      broken[promise] = [...new Set(rows.map(({ user_id: id }) => id))];
    }
  }
  return broken;
}
