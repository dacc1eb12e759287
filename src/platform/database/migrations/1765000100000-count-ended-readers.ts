import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How often the file of an import has ended what read it, without getting further (docs/decisions/0029). */
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
