import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds the maximum and the default number of items per response to consumer keys. Keys without these two numbers use
 * the numbers of their response format.
 */
export class AddPageSizes1765500100000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE consumer_keys
        ADD COLUMN max_count integer,
        ADD COLUMN default_count integer,
        ADD CONSTRAINT consumer_keys_max_count_check CHECK (max_count BETWEEN 1 AND 5000),
        ADD CONSTRAINT consumer_keys_default_count_check CHECK (default_count BETWEEN 1 AND max_count)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE consumer_keys DROP COLUMN default_count, DROP COLUMN max_count`,
    );
  }
}
