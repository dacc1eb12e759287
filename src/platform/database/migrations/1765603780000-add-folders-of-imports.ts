import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stores with each import whether folders become saved lists (docs/decisions/0119). */
export class AddFoldersOfImports1765603780000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE imports ADD COLUMN folders_become_lists boolean NOT NULL DEFAULT false`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE imports DROP COLUMN folders_become_lists`);
  }
}
