import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A SQL expression for the id of the next transaction. */
const NEXT = 'pg_snapshot_xmax(pg_current_snapshot())::text::bigint';

/**
 * Creates a SQL function that returns true if the last transaction that locked a row had not ended when the statement
 * began (docs/decisions/0034). A row stores only the lower half of a transaction id, so the function assumes the
 * complete id that is nearest to the id of the next transaction. The function is a single expression, so that
 * PostgreSQL inlines it.
 */
const IS_IN_FLIGHT = `
  CREATE FUNCTION is_in_flight(locker xid) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT locker <> 0 AND NOT pg_visible_in_snapshot(
      (${NEXT} - (((${NEXT} - locker::text::bigint + 2147483648) & 4294967295) - 2147483648))::text::xid8,
      pg_current_snapshot())
  $$`;

export class SeeWritersInFlight1765202100000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(IS_IN_FLIGHT);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP FUNCTION is_in_flight`);
  }
}
