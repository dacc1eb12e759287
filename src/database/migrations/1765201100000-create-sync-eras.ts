import type { MigrationInterface, QueryRunner } from 'typeorm';

/** From which `since` on this database knows what happened; a restore adds a row (docs/decisions/0033). */
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
