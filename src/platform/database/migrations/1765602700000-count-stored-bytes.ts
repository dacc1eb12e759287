import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds the size of each list in bytes (docs/decisions/0099). The column has no default, because the size of an existing
 * list is measured when it is first needed.
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
