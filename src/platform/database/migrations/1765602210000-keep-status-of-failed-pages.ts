import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stores the HTTP status of a page that could not be fetched, because the wallabag API returns this status. */
export class KeepStatusOfFailedPages1765602210000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE pages ADD COLUMN failure_status smallint`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE pages DROP COLUMN failure_status`);
  }
}
