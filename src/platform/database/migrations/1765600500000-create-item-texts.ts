import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  // The words of an article are stored outside the table row, so that a scan of many rows reads only ids and times.
  `CREATE TABLE item_texts (
    user_id bigint NOT NULL,
    item_id bigint NOT NULL,
    added_order bigint NOT NULL,
    language text NOT NULL,
    words tsvector NOT NULL,
    CONSTRAINT item_texts_pkey PRIMARY KEY (user_id, item_id),
    CONSTRAINT item_texts_item_id_fkey FOREIGN KEY (user_id, item_id) REFERENCES items (user_id, item_id)
      ON DELETE CASCADE
  ) WITH (toast_tuple_target = 128, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.01)`,
  `CREATE INDEX item_texts_words_idx ON item_texts USING gin (words)`,
  `CREATE INDEX item_texts_language_idx ON item_texts (user_id, language)`,
  `CREATE TABLE due_texts (
    user_id bigint NOT NULL,
    item_id bigint NOT NULL,
    marked_at timestamptz NOT NULL DEFAULT clock_timestamp()
  )`,
  // Queues all existing items. The background worker indexes newly saved items first.
  // This INSERT takes a tenth of the time without keys and indexes.
  `INSERT INTO due_texts (user_id, item_id, marked_at)
   SELECT user_id, item_id, to_timestamp(time_added) FROM items`,
  `ALTER TABLE due_texts
    ADD CONSTRAINT due_texts_pkey PRIMARY KEY (user_id, item_id),
    ADD CONSTRAINT due_texts_user_id_fkey FOREIGN KEY (user_id) REFERENCES lists (user_id) ON DELETE CASCADE`,
  `CREATE INDEX due_texts_marked_at_idx ON due_texts (marked_at)`,
];

/** Adds full-text search (docs/decisions/0061). */
export class CreateItemTexts1765600500000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) {
      await queryRunner.query(statement);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE due_texts, item_texts`);
  }
}
