import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Creates a table of tags that are being renamed or deleted. A row is deleted when no item has the old tag any more
 * (docs/decisions/0085).
 */
export class CreateTagMoves1765601900000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE tag_moves (
      user_id bigint NOT NULL,
      source_id bigint NOT NULL,
      source text NOT NULL,
      target_id bigint,
      target text,
      CONSTRAINT tag_moves_pkey PRIMARY KEY (user_id, source_id),
      CONSTRAINT tag_moves_user_id_fkey FOREIGN KEY (user_id) REFERENCES lists (user_id) ON DELETE CASCADE
    )`);
  }

  /**
   * Reverts the migration. Fails while tags are being renamed or deleted. Otherwise, some items would keep an old tag
   * that clients no longer know.
   */
  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DO $$ BEGIN
      IF EXISTS (SELECT 1 FROM tag_moves) THEN
        RAISE EXCEPTION 'tags are still being renamed or deleted: start the service, and stop it when tag_moves is empty';
      END IF;
    END $$`);
    await queryRunner.query(`DROP TABLE tag_moves`);
  }
}
