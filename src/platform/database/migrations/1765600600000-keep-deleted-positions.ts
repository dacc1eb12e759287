import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stores the reading positions of deleted items, which are restored together with the items (docs/decisions/0056). */
export class KeepDeletedPositions1765600600000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE deleted_items ADD COLUMN position json`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE deleted_items DROP COLUMN position`);
  }
}
