import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates a table that keeps deleted items for some days, so that users can restore them (docs/decisions/0056). */
export class KeepDeletedItems1765600250000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE deleted_items (
        user_id bigint NOT NULL REFERENCES lists (user_id) ON DELETE CASCADE,
        item_id bigint NOT NULL,
        deleted_at timestamptz NOT NULL,
        item json NOT NULL,
        annotations json NOT NULL,
        own_page json,
        PRIMARY KEY (user_id, item_id)
      )`);
    await queryRunner.query(
      `CREATE INDEX deleted_items_deleted_at_idx ON deleted_items (deleted_at)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE deleted_items`);
  }
}
