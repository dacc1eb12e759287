import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds users' notes to items (docs/decisions/0093). The default is a constant, so PostgreSQL rewrites no row. */
export class AddItemNotes1765602100000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE items ADD COLUMN note text NOT NULL DEFAULT ''`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE items DROP COLUMN note`);
  }
}
