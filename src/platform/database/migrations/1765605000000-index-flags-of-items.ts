import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Few items have these flags, so saving a page rarely writes to the indexes. */
const INDEXES = [
  `CREATE INDEX items_pdf_idx ON items (user_id, added_order, item_id) WHERE is_pdf = 1`,
  `CREATE INDEX items_failed_idx ON items (user_id, added_order, item_id) WHERE fetch_failed = 1`,
];

/** Adds indexes of PDF documents and of items whose page could not be fetched (docs/decisions/0134). */
export class IndexFlagsOfItems1765605000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of INDEXES) {
      await queryRunner.query(statement);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX items_failed_idx`);
    await queryRunner.query(`DROP INDEX items_pdf_idx`);
  }
}
