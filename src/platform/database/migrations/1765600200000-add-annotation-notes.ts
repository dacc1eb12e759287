import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds notes to annotations, and an index for the web page that lists all annotations of a user (docs/decisions/0057).
 */
export class AddAnnotationNotes1765600200000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE annotations ADD COLUMN note text NOT NULL DEFAULT ''`);
    await queryRunner.query(
      `CREATE INDEX annotations_created_idx ON annotations (user_id, created_at, annotation_id)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX annotations_created_idx`);
    await queryRunner.query(`ALTER TABLE annotations DROP COLUMN note`);
  }
}
