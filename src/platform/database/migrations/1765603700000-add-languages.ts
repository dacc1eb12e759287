import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stores the language that a user has chosen, and the language of the user's browser (docs/decisions/0116). */
export class AddLanguages1765603700000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE users ADD COLUMN language text, ADD COLUMN browser_language text`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE users DROP COLUMN language, DROP COLUMN browser_language`);
  }
}
