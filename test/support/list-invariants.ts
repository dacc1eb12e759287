import type { QueriedDatabase } from './test-database.js';

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
  'no item is newer than its list': `
    SELECT user_id FROM items i JOIN lists l USING (user_id) WHERE i.stamp > l.stamp`,
  'a deleted item is not in the list': `
    SELECT user_id FROM tombstones d JOIN items i USING (user_id, item_id)`,
};

const WORDS = 'each item has words, or waits for them';
const WITHOUT_WORDS = `
  SELECT user_id, user_id || ' ' || item_id AS item FROM items i
  WHERE NOT EXISTS (SELECT FROM item_texts t WHERE t.user_id = i.user_id AND t.item_id = i.item_id)`;
const WAITING = `SELECT user_id || ' ' || item_id AS item FROM due_texts`;

/**
 * Returns the lists with items that have no words and do not wait for them. Uses one statement for lists and one for the
 * queue, because Citus cannot join them. The service may write words between two statements.
 */
async function listsWithoutWords({ query }: QueriedDatabase): Promise<{ user_id: string }[]> {
  const before = new Set((await query(WITHOUT_WORDS)).map(({ item }) => item));
  const waiting = new Set((await query(WAITING)).map(({ item }) => item));
  const after = await query<{ user_id: string; item: string }>(WITHOUT_WORDS);
  return after.filter(({ item }) => before.has(item) && !waiting.has(item));
}

/** Returns the promises that the database breaks, with the lists. */
export async function brokenPromises(database: QueriedDatabase): Promise<Record<string, string[]>> {
  const broken: Record<string, string[]> = {};
  const queries = Object.entries(PROMISES).map(
    ([promise, sql]) => [promise, () => database.query<{ user_id: string }>(sql)] as const,
  );
  for (const [promise, find] of [...queries, [WORDS, () => listsWithoutWords(database)] as const]) {
    const rows = await find();
    if (rows.length > 0) {
      broken[promise] = [...new Set(rows.map(({ user_id: id }) => id))];
    }
  }
  return broken;
}
