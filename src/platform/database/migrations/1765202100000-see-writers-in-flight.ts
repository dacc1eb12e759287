import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The number of the next transaction. */
const NEXT = 'pg_snapshot_xmax(pg_current_snapshot())::text::bigint';

/**
 * Whether the transaction that a row names as its locker is in flight for this statement (docs/decisions/0034). A row
 * has the lower half of the number; it is the one nearest to the next. One expression, so that PostgreSQL writes it
 * into the statement.
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
