import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the new id of a moved item to tombstones, which are the records of deleted items (docs/decisions/0113). */
export class NoteMovesOfItems1765603600000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE tombstones ADD COLUMN moved_to bigint`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE tombstones DROP COLUMN moved_to`);
  }
}
