import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Stores the HTTP status of a failed fetch, because the wallabag API shows the HTTP status of a page that could not be
 * fetched.
 */
export class KeepStatusOfFailedPages1765602210000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE pages ADD COLUMN failure_status smallint`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE pages DROP COLUMN failure_status`);
  }
}
