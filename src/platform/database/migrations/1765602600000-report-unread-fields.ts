import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds columns for the report of an import. The defaults are constants, so PostgreSQL rewrites no row. */
export class ReportUnreadFields1765602600000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE imports
        ADD COLUMN format_reason text,
        ADD COLUMN unread jsonb,
        ADD COLUMN merged integer NOT NULL DEFAULT 0`);
    await queryRunner.query(
      `ALTER TABLE import_remarks ADD COLUMN is_merged boolean NOT NULL DEFAULT false`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE import_remarks DROP COLUMN is_merged`);
    await queryRunner.query(`
      ALTER TABLE imports DROP COLUMN format_reason, DROP COLUMN unread, DROP COLUMN merged`);
  }
}
