import type { DataSource } from 'typeorm';

import { Database, LateDataSource } from '../../src/platform/database/database.js';
import { parseAction } from '../../src/reading-list/actions/action.parser.js';
import { applyActions } from '../../src/reading-list/actions/apply-actions.js';
import type { ActionOutcome } from '../../src/reading-list/list/action-outcome.js';
import { MEASURE_LIST, MEASURE_PAGES } from '../../src/reading-list/storage/storage.sql.js';
import { moveTags } from '../../src/reading-list/tag-moves/move-tags.js';
import { dataSourceOptions } from './data-source-options.js';
import { aDatabase, type TestDatabase } from './test-database.js';

/** The tests' current time, in seconds since 1970. The database clock is independent of it. */
export const NOW = 1_763_800_000;

let people = 0;

/** Users in a database. Their lists change through the same actions that clients send. */
export class ListsOnPostgres {
  private constructor(
    readonly tables: TestDatabase,
    readonly dataSource: DataSource,
    readonly database: Database,
  ) {}

  /** Creates a database, unless one is given. */
  static async start(given?: TestDatabase): Promise<ListsOnPostgres> {
    const tables = given ?? (await aDatabase());
    const dataSource = await new LateDataSource(
      dataSourceOptions(tables.connection, 10),
    ).initialize();
    return new ListsOnPostgres(tables, dataSource, new Database(dataSource));
  }

  /** Deletes all users, pages, page requests and host pauses. */
  async clear(): Promise<void> {
    await this.tables.query(
      'TRUNCATE page_requests; DELETE FROM users; DELETE FROM pages; DELETE FROM host_pauses',
    );
  }

  async stop(): Promise<void> {
    await this.dataSource.destroy();
    await this.tables.drop();
  }

  async aUser(): Promise<string> {
    people += 1;
    const [user] = await this.tables.query<{ id: string }>(
      `INSERT INTO users (name, email, password_hash) VALUES ('Ada', $1, '') RETURNING id`,
      [`reader${people}@example.com`],
    );
    return user!.id;
  }

  /** Runs the actions of one call in one transaction. Items beyond `taggedAtOnce` wait for `follow`. */
  send(
    userId: string,
    actions: readonly object[],
    now = NOW,
    taggedAtOnce?: number,
  ): Promise<ActionOutcome[]> {
    return this.database.transaction((manager) =>
      applyActions(manager, userId, {
        ...{ actions: actions.map(parseAction), now },
        ...(taggedAtOnce !== undefined && { taggedAtOnce }),
      }),
    );
  }

  /** Updates some items of a pending tag move. Returns false if no tag move is pending. */
  follow(userId: string, { now = NOW, atMost = 1000 } = {}): Promise<boolean> {
    return this.database.transaction((manager) => moveTags(manager, userId, { now, atMost }));
  }

  /** Calls `follow` until no tag move is pending. */
  async followAll(userId: string, share?: { now?: number; atMost?: number }): Promise<void> {
    while (await this.follow(userId, share)) {
      // `follow` has done one batch.
    }
  }

  async results(userId: string, actions: readonly object[], now = NOW): Promise<boolean[]> {
    return (await this.send(userId, actions, now)).map(({ ok }) => ok);
  }

  /**
   * Returns everything stored for a list, except stamps and numbers. Those depend on how actions were split into calls.
   */
  async contents(userId: string): Promise<object> {
    const rows = (sql: string) => this.tables.query(sql, [userId]);
    const [list] = await rows(`SELECT item_count, facet_counts FROM lists WHERE user_id = $1`);
    return {
      list,
      items: await rows(
        `SELECT to_jsonb(items) - 'user_id' - 'stamp' - 'number' AS item FROM items WHERE user_id = $1 ORDER BY item_id`,
      ),
      itemTags: await rows(
        `SELECT tag_id, added_order, item_id FROM item_tags WHERE user_id = $1 ORDER BY 1, 2, 3`,
      ),
      tags: await rows(`SELECT tag_id, name, item_count FROM tags WHERE user_id = $1 ORDER BY 1`),
      tombstones: await rows(`SELECT item_id FROM tombstones WHERE user_id = $1 ORDER BY 1`),
      search: await rows(
        `SELECT item_id, added_order, title_key, url_key, search_text FROM item_search WHERE user_id = $1 ORDER BY 1`,
      ),
    };
  }

  /** Returns contradictions within the tables of a list. Every result must be empty. */
  async faults(userId: string): Promise<object[]> {
    const [found, size] = await Promise.all([
      this.tables.query(FAULTS, [userId]),
      this.tables.query(MISCOUNTED, [userId]),
    ]);
    return [...found, ...size];
  }
}

/**
 * Counted bytes are at least the stored bytes. They may exceed the stored bytes only after a deletion or replacement.
 */
const MISCOUNTED = `
  SELECT 'stored_bytes' AS fault, stored_bytes, bytes FROM lists, (
    SELECT list.bytes + pages.bytes AS bytes FROM (${MEASURE_LIST}) list, (${MEASURE_PAGES}) pages) measured
  WHERE user_id = $1 AND (stored_bytes < bytes OR (stored_bytes > bytes AND NOT may_store_less))`;

const FAULTS = `
  WITH list AS (SELECT * FROM lists WHERE user_id = $1),
    item AS MATERIALIZED (SELECT * FROM items WHERE user_id = $1),
    row AS MATERIALIZED (SELECT * FROM item_tags WHERE user_id = $1),
    tag AS (SELECT * FROM tags WHERE user_id = $1),
    facet AS (SELECT facet, count(*)::integer AS items FROM item GROUP BY facet),
    written AS (SELECT item_id, added_order, unnest(tags) AS name FROM item),
    carried AS (SELECT item_id, added_order, name FROM row LEFT JOIN tag USING (tag_id)),
    indexed AS (SELECT item_id, added_order, title_key, url_key, search_text FROM item_search WHERE user_id = $1)
  SELECT 'item_count' AS fault, user_id::text AS at FROM list WHERE item_count <> (SELECT count(*) FROM item)
  UNION ALL SELECT 'facet_counts', user_id::text FROM list
    WHERE facet_counts <> (SELECT array_agg(coalesce(items, 0) ORDER BY bits)
                           FROM generate_series(0, 63) AS bits LEFT JOIN facet ON facet = bits)
  UNION ALL SELECT 'item_tags only', item_id::text FROM (TABLE carried EXCEPT TABLE written) AS odd
  UNION ALL SELECT 'items.tags only', item_id::text FROM (TABLE written EXCEPT TABLE carried) AS odd
  UNION ALL SELECT 'a tag twice', item_id::text FROM written GROUP BY item_id, name HAVING count(*) > 1
  UNION ALL SELECT 'tags.item_count', tag_id::text
    FROM tag FULL JOIN (SELECT tag_id, count(*) AS items FROM row GROUP BY tag_id) AS counted USING (tag_id)
    WHERE item_count IS DISTINCT FROM items
  UNION ALL SELECT 'item and tombstone', item_id::text FROM item JOIN tombstones USING (user_id, item_id)
  UNION ALL SELECT 'stamp beyond the list', item_id::text FROM item JOIN list USING (user_id) WHERE item.stamp > list.stamp
  UNION ALL SELECT 'number', number::text FROM (
    SELECT number FROM item UNION ALL SELECT number FROM tag UNION ALL SELECT number FROM annotations WHERE user_id = $1) AS numbered
    WHERE number < 1 OR number > (SELECT numbers FROM list)
  UNION ALL SELECT 'item_search only', item_id::text FROM (
    TABLE indexed EXCEPT SELECT item_id, added_order, title_key, url_key, search_text FROM item) AS odd
  UNION ALL SELECT 'not in item_search', item_id::text FROM (
    SELECT item_id, item.added_order, title_key, url_key, search_text FROM item JOIN list USING (user_id) WHERE has_search_index
    EXCEPT TABLE indexed) AS odd`;
