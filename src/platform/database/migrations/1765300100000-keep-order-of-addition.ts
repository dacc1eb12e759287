import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The indexes that contain the time at which an item was added, keyed by index name. Each function
 * takes the name of the time column and returns the definition of the index.
 */
const INDEXES = {
  items_added_idx: (column: string) =>
    `items (user_id, ${column}, item_id) INCLUDE (facet, stamp, time_updated)`,
  items_facet_idx: (column: string) => `items (user_id, facet, ${column}, item_id)`,
  items_stamp_idx: (column: string) =>
    `items (user_id, stamp, item_id) INCLUDE (${column}, facet, time_updated)`,
  items_title_idx: (column: string) =>
    `items (user_id, title_key, item_id) INCLUDE (facet, stamp, time_updated, ${column})`,
  items_site_idx: (column: string) =>
    `items (user_id, url_key, item_id) INCLUDE (facet, stamp, time_updated, ${column})`,
  items_domain_idx: (column: string) => `items (user_id, site, item_id) INCLUDE (${column}, facet)`,
};

/**
 * Drops the indexes before PostgreSQL rewrites the table `items`, so that each index is built only
 * once.
 */
const DROPPED = `DROP INDEX ${Object.keys(INDEXES).join(', ')}`;

const created = (column: string): string[] =>
  Object.entries(INDEXES).map(([name, on]) => `CREATE INDEX ${name} ON ${on(column)}`);

const COPIES = ['item_tags', 'item_search'];

/**
 * Gives each item a position among the items that were added in the same second. There are 2^30 positions per second,
 * and half of them are negative. Existing items get position 0.
 */
const UP = [
  `ALTER TABLE lists ADD COLUMN additions bigint NOT NULL DEFAULT 0`,
  DROPPED,
  `ALTER TABLE items ADD COLUMN added_sequence integer NOT NULL DEFAULT 0,
    ADD COLUMN added_order bigint NOT NULL
      GENERATED ALWAYS AS (time_added * 1073741824 + added_sequence) STORED`,
  ...created('added_order'),
  ...COPIES.flatMap((table) => [
    `ALTER TABLE ${table} ALTER COLUMN time_added TYPE bigint USING time_added * 1073741824`,
    `ALTER TABLE ${table} RENAME COLUMN time_added TO added_order`,
  ]),
];

const DOWN = [
  ...COPIES.flatMap((table) => [
    `ALTER TABLE ${table} RENAME COLUMN added_order TO time_added`,
    `ALTER TABLE ${table} ALTER COLUMN time_added TYPE bigint USING (time_added + 536870912) >> 30`,
  ]),
  DROPPED,
  `ALTER TABLE items DROP COLUMN added_order, DROP COLUMN added_sequence`,
  ...created('time_added'),
  `ALTER TABLE lists DROP COLUMN additions`,
];

/** Stores the order of items that were added in the same second (docs/decisions/0035). */
export class KeepOrderOfAddition1765300100000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) {
      await queryRunner.query(statement);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN) {
      await queryRunner.query(statement);
    }
  }
}
