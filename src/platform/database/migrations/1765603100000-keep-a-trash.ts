import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The size of the copies that exist already is estimated from their JSON. It is never smaller than
 * the size of the item, except for the fixed bytes per item, highlight and tag.
 */
const SIZE_OF_COPIES = `
  UPDATE deleted_items SET bytes = 1000 + octet_length(item::text) + octet_length(annotations::text)
    + coalesce(octet_length(own_page::text), 0) + coalesce(octet_length(details::text), 0)`;

/** Lists are measured again when their size is next needed, because the trash counts now. */
const MEASURE_AGAIN = `
  UPDATE lists SET stored_bytes = NULL
  WHERE EXISTS (SELECT FROM deleted_items WHERE deleted_items.user_id = lists.user_id)`;

/** Adds the size of each deleted item, and an index for the pages of the trash (docs/decisions/0107). */
export class KeepATrash1765603100000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE deleted_items ADD COLUMN bytes bigint NOT NULL DEFAULT 0`);
    await queryRunner.query(SIZE_OF_COPIES);
    await queryRunner.query(MEASURE_AGAIN);
    await queryRunner.query(
      `CREATE INDEX deleted_items_trash_idx ON deleted_items (user_id, deleted_at, item_id) INCLUDE (bytes)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX deleted_items_trash_idx`);
    await queryRunner.query(`ALTER TABLE deleted_items DROP COLUMN bytes`);
    await queryRunner.query(`UPDATE lists SET stored_bytes = NULL`);
  }
}
