import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Creates a table for the details of pages, such as authors, that clients send with items (docs/decisions/0094). If a
 * deleted item is restored, the details of its page are restored too.
 */
export class CreateItemDetails1765602200000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE item_details (
      user_id bigint NOT NULL,
      item_id bigint NOT NULL,
      origin_url text,
      published_at bigint,
      authors json,
      language text,
      preview_picture text,
      uid text,
      CONSTRAINT item_details_pkey PRIMARY KEY (user_id, item_id),
      CONSTRAINT item_details_item_id_fkey FOREIGN KEY (user_id, item_id) REFERENCES items (user_id, item_id)
        ON DELETE CASCADE
    )`);
    await queryRunner.query(
      `CREATE INDEX item_details_public_idx ON item_details (user_id, item_id) WHERE uid IS NOT NULL`,
    );
    await queryRunner.query(`ALTER TABLE deleted_items ADD COLUMN details json`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE deleted_items DROP COLUMN details`);
    await queryRunner.query(`DROP TABLE item_details`);
  }
}
