import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Creates an unlogged table for login attempts, so that counting an attempt needs no disk write. A crash of the
 * database server empties the table, so that clients get some attempts again.
 */
export class CreateThrottleCounters1763700100000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE UNLOGGED TABLE throttle_counters (
        key text NOT NULL,
        hits integer NOT NULL,
        expires_at timestamptz NOT NULL,
        CONSTRAINT throttle_counters_pkey PRIMARY KEY (key)
      )`);
    await queryRunner.query(
      `CREATE INDEX throttle_counters_expires_at_idx ON throttle_counters (expires_at)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE throttle_counters`);
  }
}
