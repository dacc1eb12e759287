import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Creates an unlogged table that counts API calls, so that counting a call never waits for a disk write. A crash of the
 * database server resets all counters. Half of each database page stays free, so that an update can write the new row
 * to the same database page and need not change an index.
 */
export class CreateCallCounters1764300000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE UNLOGGED TABLE call_counters (
        key text NOT NULL,
        allowed integer NOT NULL,
        taken integer NOT NULL,
        lease integer NOT NULL,
        ends_at timestamptz NOT NULL,
        CONSTRAINT call_counters_pkey PRIMARY KEY (key)
      ) WITH (fillfactor = 50)`);
    await queryRunner.query(`CREATE INDEX call_counters_ends_at_idx ON call_counters (ends_at)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE call_counters`);
  }
}
