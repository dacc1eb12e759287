import type { TestDatabase } from './test-database.js';

/** Moves all times of the page queue into the past, because a test cannot set the database clock. */
export async function timePasses({ query }: TestDatabase, interval: string): Promise<void> {
  await query(
    `UPDATE pages SET retry_at = retry_at - $1::interval, leased_until = leased_until - $1::interval,
       fresh_until = fresh_until - $1::interval, fetched_at = fetched_at - $1::interval,
       check_at = check_at - $1::interval, missing_since = missing_since - $1::interval`,
    [interval],
  );
  await query(`UPDATE page_requests SET retry_at = retry_at - $1::interval`, [interval]);
  await query(`UPDATE page_quotas SET began_at = began_at - $1::interval`, [interval]);
  await query(`UPDATE host_pauses SET until = until - $1::interval`, [interval]);
}
