import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How much each list takes (docs/decisions/0099). No default: a list that is there, or comes from an older backup, is
 * measured when its size is first needed.
 */
export class CountStoredBytes1765602700000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE lists ADD COLUMN stored_bytes bigint, ADD COLUMN may_store_less boolean NOT NULL DEFAULT false`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE lists DROP COLUMN stored_bytes, DROP COLUMN may_store_less`,
    );
  }
}
