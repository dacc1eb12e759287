import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Unlogged: a counter is worth no disk write, and losing it in a crash only gives some attempts back. */
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
