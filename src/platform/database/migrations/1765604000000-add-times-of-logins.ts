import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the time at which the user of a session last proved the identity (docs/decisions/0128). */
export class AddTimesOfLogins1765604000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE sessions ADD COLUMN proven_at timestamptz`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE sessions DROP COLUMN proven_at`);
  }
}
