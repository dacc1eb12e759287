/**
 * Longer than all leases of queues. A lease that ends later was stored while the clock was ahead, so it does not count
 * (docs/decisions/0143). Else the work would wait until the clock gets there.
 */
const LONGEST_LEASE = `interval '10 minutes'`;

/** The SQL condition that a process has a lease. `column` is its end. */
export const isLeased = (column: string): string =>
  `${column} BETWEEN now() AND now() + ${LONGEST_LEASE}`;

/** The SQL condition that no process has a lease. `column` is the end of the lease, or NULL. */
export const isUnleased = (column: string): string =>
  `coalesce(${column} NOT BETWEEN now() AND now() + ${LONGEST_LEASE}, true)`;
