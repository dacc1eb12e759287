import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Returns true if the table `item_search` lacks columns. Before the first release, two migrations were edited after
 * they had run on some databases. These databases therefore lack three columns.
 */
const LACKS_KEYS = `
  SELECT count(*) < 2 AS "isLacking" FROM pg_attribute
  WHERE attrelid = 'item_search'::regclass AND attname IN ('title_key', 'url_key') AND NOT attisdropped`;

/**
 * Adds the missing columns to `item_search`. Creates the search index again, because the function that the index uses
 * was edited too.
 */
const REPAIR = [
  `ALTER TABLE item_search ADD COLUMN IF NOT EXISTS title_key text COLLATE "C",
    ADD COLUMN IF NOT EXISTS url_key text COLLATE "C"`,
  `DELETE FROM item_search WHERE NOT EXISTS
    (SELECT FROM items WHERE items.user_id = item_search.user_id AND items.item_id = item_search.item_id)`,
  `UPDATE item_search SET title_key = items.title_key, url_key = items.url_key FROM items
    WHERE items.user_id = item_search.user_id AND items.item_id = item_search.item_id`,
  `ALTER TABLE item_search ALTER COLUMN title_key SET NOT NULL, ALTER COLUMN url_key SET NOT NULL`,
  `CREATE INDEX IF NOT EXISTS item_search_title_idx ON item_search (user_id, title_key, item_id)`,
  `CREATE INDEX IF NOT EXISTS item_search_site_idx ON item_search (user_id, url_key, item_id)`,
  `DROP INDEX IF EXISTS item_search_grams_idx`,
  `CREATE INDEX item_search_grams_idx ON item_search USING gin (search_grams(user_id, search_text))`,
];

export class RepairEditedTables1765602400000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE pages ADD COLUMN IF NOT EXISTS fresh_until timestamptz');
    const [{ isLacking }] = await queryRunner.manager.query<[{ isLacking: boolean }]>(LACKS_KEYS);
    if (isLacking) {
      for (const statement of REPAIR) {
        await queryRunner.query(statement);
      }
    }
  }

  /** Reverting this migration changes nothing, because the added columns belong to earlier migrations. */
  async down(): Promise<void> {
    await Promise.resolve();
  }
}
