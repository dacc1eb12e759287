import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the alignment of the text to each user's appearance settings. */
export class AddTextAlignment1765603400000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE reader_preferences ADD COLUMN alignment text NOT NULL DEFAULT 'start'`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE reader_preferences DROP COLUMN alignment`);
  }
}
