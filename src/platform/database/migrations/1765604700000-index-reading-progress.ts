import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Filters by reading progress read only this index, not the table. The fraction is not part of the key: with the key
 * `(user_id, fraction, item_id)`, PostgreSQL once read all positions of a user for each tested item.
 */
const INDEX = `CREATE INDEX reading_positions_fraction_idx ON reading_positions (user_id, item_id) INCLUDE (fraction)`;

/** Adds an index of reading positions with their fractions (docs/decisions/0134). */
export class IndexReadingProgress1765604700000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(INDEX);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX reading_positions_fraction_idx`);
  }
}
