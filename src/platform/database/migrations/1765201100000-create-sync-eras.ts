import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Creates a table with the smallest valid value of `since`. A restore of the database adds a row (docs/decisions/0033).
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
