import type { MigrationInterface, QueryRunner } from 'typeorm';

/** SQL for the id of the next transaction. */
const NEXT = 'pg_snapshot_xmax(pg_current_snapshot())::text::bigint';

/**
 * Returns true if the transaction that last locked a row is in flight for this statement (docs/decisions/0034). A row
 * contains only the lower half of the transaction id. The function assumes the full id that is nearest to the id of the
 * next transaction. The function is one expression, so that PostgreSQL inlines the function.
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
