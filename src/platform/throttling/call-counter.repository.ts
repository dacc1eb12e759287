import { CustomRepository } from '../database/custom-repository.js';
import { queryRows } from '../database/query-rows.js';
import { CallCounter } from './entities/call-counter.entity.js';
import { GIVE_CALLS_BACK, SWEEP_CALLS, TAKE_CALLS } from './throttling.sql.js';

/**
 * A request to reserve `wanted` calls of a limit that allows `allowed` calls per hour. The instance can then allow the
 * reserved calls without another database query.
 */
interface LeaseRequest {
  readonly key: string;
  readonly allowed: number;
  readonly wanted: number;
}

/** The result of a reservation: the number of calls that an instance can allow until `ends_at`. */
export interface LeaseRow {
  readonly key: string;
  /** The number of reserved calls. It may be less than `wanted`, and is 0 if the limit is reached. */
  readonly lease: number;
  /** The number of calls in this hour that no instance has reserved yet. */
  readonly left: number;
  readonly ends_at: string;
  readonly seconds_left: number;
}

/** The calls that an instance has reserved but not used. */
export interface UnspentLease {
  readonly key: string;
  readonly unspent: number;
  readonly endsAt: string;
}

/** Contains the queries for the call counters. All instances of the service share these counters. */
export class CallCounterRepository extends CustomRepository<CallCounter> {
  static readonly entity = CallCounter;

  /**
   * Reserves calls for an instance. Returns one row per element of `requests`. The keys in `requests` must be
   * different.
   */
  take(requests: readonly LeaseRequest[], windowSeconds: number): Promise<LeaseRow[]> {
    const values = [
      requests.map(({ key }) => key),
      requests.map(({ allowed }) => allowed),
      requests.map(({ wanted }) => wanted),
      windowSeconds,
    ];
    return queryRows<LeaseRow>(this.manager, TAKE_CALLS, values);
  }

  async giveBack(leases: readonly UnspentLease[]): Promise<void> {
    const values = [
      leases.map(({ key }) => key),
      leases.map(({ unspent }) => unspent),
      leases.map(({ endsAt }) => endsAt),
    ];
    await queryRows(this.manager, GIVE_CALLS_BACK, values);
  }

  async sweep(): Promise<void> {
    await queryRows(this.manager, SWEEP_CALLS);
  }
}
