import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds colors to highlights (docs/decisions/0111). The default is a constant, so PostgreSQL rewrites no row. */
export class AddHighlightColors1765603500000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE annotations ADD COLUMN color text NOT NULL DEFAULT 'yellow'`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE annotations DROP COLUMN color`);
  }
}
