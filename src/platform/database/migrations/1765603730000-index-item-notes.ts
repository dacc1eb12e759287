import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The filter for items with a note uses this index. It contains only items with a note, so adding an item without a
 * note does not write to it.
 */
const INDEX = `CREATE INDEX items_note_idx ON items (user_id, added_order, item_id) WHERE note <> ''`;

/** Adds an index of the items with a note (docs/decisions/0093). */
export class IndexItemNotes1765603730000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(INDEX);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX items_note_idx`);
  }
}
