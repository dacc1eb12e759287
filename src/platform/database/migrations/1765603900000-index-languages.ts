import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Filters by a rare language use this index. It contains no items without a language. Its entries for one language
 * share a key, so PostgreSQL stores them in about 8 bytes each.
 */
const INDEX = `CREATE INDEX items_lang_idx ON items (user_id, lower(lang COLLATE "C")) WHERE lang <> ''`;

/** Adds an index of the languages of items (docs/decisions/0127). */
export class IndexLanguages1765603900000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(INDEX);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX items_lang_idx`);
  }
}
