import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Creates the table of reading positions. If an item is deleted, its reading position is deleted too
 * (docs/decisions/0057).
 */
export class CreateReadingPositions1765600100000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE reading_positions (
      user_id bigint NOT NULL,
      item_id bigint NOT NULL,
      fraction real NOT NULL,
      paragraph integer,
      updated_at timestamptz NOT NULL,
      CONSTRAINT reading_positions_pkey PRIMARY KEY (user_id, item_id),
      CONSTRAINT reading_positions_item_id_fkey FOREIGN KEY (user_id, item_id) REFERENCES items (user_id, item_id)
        ON DELETE CASCADE
    )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE reading_positions`);
  }
}
