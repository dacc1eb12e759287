import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets users choose a time zone and a date format, and change their email address (docs/decisions/0106). */
export class ChangeProfiles1765603000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE users ADD COLUMN time_zone text, ADD COLUMN date_format text`,
    );
    await queryRunner.query(`
      ALTER TABLE one_time_links DROP CONSTRAINT one_time_links_purpose_check,
        ADD CONSTRAINT one_time_links_purpose_check
          CHECK (purpose IN ('invitation', 'password-reset', 'email-verification', 'email-change'))`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DELETE FROM one_time_links WHERE purpose = 'email-change'`);
    await queryRunner.query(`
      ALTER TABLE one_time_links DROP CONSTRAINT one_time_links_purpose_check,
        ADD CONSTRAINT one_time_links_purpose_check
          CHECK (purpose IN ('invitation', 'password-reset', 'email-verification'))`);
    await queryRunner.query(`ALTER TABLE users DROP COLUMN time_zone, DROP COLUMN date_format`);
  }
}
