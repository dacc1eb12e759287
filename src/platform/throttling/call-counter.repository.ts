import { Repository } from 'typeorm';

import { queryRows } from '../database/query-rows.js';
import type { CallCounter } from './entities/call-counter.entity.js';
import { GIVE_CALLS_BACK, SWEEP_CALLS, TAKE_CALLS } from './throttling.sql.js';

/**
 * A request for the right to make `wanted` of the `allowed` calls per hour. The instance then makes these calls without
 * asking the database again.
 */
interface LeaseRequest {
  readonly key: string;
  readonly allowed: number;
  readonly wanted: number;
}

/** The calls that an instance may make until `ends_at`. */
export interface LeaseRow {
  readonly key: string;
  /** The number of calls that the instance may make. It may be less than requested, and is 0 if none is left. */
  readonly lease: number;
  /** The number of calls in this hour that no instance has reserved yet. */
  readonly left: number;
  readonly ends_at: string;
  readonly seconds_left: number;
}

/** The calls that an instance has reserved but not made. */
export interface UnspentLease {
  readonly key: string;
  readonly unspent: number;
  readonly endsAt: string;
}

/** Queries the call counters, from which all instances reserve calls. */
export class CallCounterRepository extends Repository<CallCounter> {
  /** Reserves calls for an instance. Returns one row per request. The keys of the requests must be different. */
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
