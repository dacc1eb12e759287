import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Consumer keys, application passwords and clients can expire (docs/decisions/0136). */
export class AddExpiryOfKeys1765604800000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE consumer_keys ADD COLUMN expires_at timestamptz`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE consumer_keys DROP COLUMN expires_at`);
  }
}
