import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the note that the user of a session has used a second factor (docs/decisions/0135). */
export class NoteSecondFactors1765604500000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE sessions ADD COLUMN has_second_factor boolean NOT NULL DEFAULT false`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE sessions DROP COLUMN has_second_factor`);
  }
}
