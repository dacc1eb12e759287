import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the layout in which a user sees the list. */
export class AddListLayouts1765603300000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE reader_preferences ADD COLUMN layout text NOT NULL DEFAULT 'list'`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE reader_preferences DROP COLUMN layout`);
  }
}
