import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds a counter to each import: how many threads or processes stopped while they read the imported
 * file, without progress (docs/decisions/0029).
 */
export class CountEndedReaders1765000100000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE imports ADD COLUMN readers_ended integer NOT NULL DEFAULT 0`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE imports DROP COLUMN readers_ended`);
  }
}
