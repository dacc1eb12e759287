import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the table of the public links of items (docs/decisions/0117). */
export class AddSharedItems1765603710000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE shared_items (
      user_id bigint NOT NULL,
      item_id bigint NOT NULL,
      access_id bytea NOT NULL,
      includes_note boolean NOT NULL DEFAULT false,
      created_at timestamptz NOT NULL DEFAULT now(),
      expires_at timestamptz,
      CONSTRAINT shared_items_pkey PRIMARY KEY (user_id, item_id),
      CONSTRAINT shared_items_item_id_fkey FOREIGN KEY (user_id, item_id) REFERENCES items (user_id, item_id)
        ON DELETE CASCADE
    )`);
    await queryRunner.query(`CREATE INDEX shared_items_access_id_idx ON shared_items (access_id)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE shared_items`);
  }
}
