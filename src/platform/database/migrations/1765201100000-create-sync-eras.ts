import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Creates a table to which each restore of the database adds a row. The row contains the smallest
 * `since` parameter that is valid after the restore (docs/decisions/0033).
 */
export class CreateSyncEras1765201100000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE sync_eras (begins bigint NOT NULL, CONSTRAINT sync_eras_pkey PRIMARY KEY (begins))`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE sync_eras`);
  }
}
