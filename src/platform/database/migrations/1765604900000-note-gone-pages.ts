import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The columns of this migration are null or have a constant default, so PostgreSQL rewrites no row. */
const COLUMNS = [
  `ALTER TABLE pages ADD COLUMN check_at timestamptz, ADD COLUMN missing_since timestamptz, ADD COLUMN gone_since timestamptz`,
  `ALTER TABLE items ADD COLUMN gone_since bigint NOT NULL DEFAULT 0`,
];

/** The indexes of items and of gone pages are almost empty, so saving a page does not write to them. */
const INDEXES = [
  `CREATE INDEX pages_check_idx ON pages (check_at) WHERE owner_id IS NULL AND fetched_at IS NOT NULL`,
  `CREATE INDEX pages_gone_idx ON pages (page_id) WHERE gone_since IS NOT NULL`,
  `CREATE INDEX items_gone_idx ON items (user_id, added_order, item_id) WHERE gone_since > 0`,
];

/** Adds the results of the checks of saved pages (docs/decisions/0138). */
export class NoteGonePages1765604900000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of [...COLUMNS, ...INDEXES]) {
      await queryRunner.query(statement);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE items DROP COLUMN gone_since`);
    await queryRunner.query(
      `ALTER TABLE pages DROP COLUMN check_at, DROP COLUMN missing_since, DROP COLUMN gone_since`,
    );
  }
}
