import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stores how often Satchel has tried to send the mail of a rule (docs/decisions/0121). */
export class CountAttemptsOfRuleMails1765603790000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE list_rule_mails ADD COLUMN attempts smallint NOT NULL DEFAULT 0`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE list_rule_mails DROP COLUMN attempts`);
  }
}
