import { Repository } from 'typeorm';

import { queryRows } from '../database/query-rows.js';
import type { CallCounter } from './entities/call-counter.entity.js';
import { GIVE_CALLS_BACK, SWEEP_CALLS, TAKE_CALLS } from './throttling.sql.js';

/** A request of an instance for `wanted` calls of a counter that allows `allowed` calls per window. */
interface LeaseRequest {
  readonly key: string;
  readonly allowed: number;
  readonly wanted: number;
}

/** The calls that an instance gets, in the window that ends at `ends_at`. */
export interface LeaseRow {
  readonly key: string;
  /** The number of leased calls. May be less than the wanted number, and is 0 if no calls are left. */
  readonly lease: number;
  /** The number of calls that no instance has leased yet. */
  readonly left: number;
  readonly ends_at: string;
  readonly seconds_left: number;
}

/** The calls that an instance has leased but not spent. */
export interface UnspentLease {
  readonly key: string;
  readonly unspent: number;
  readonly endsAt: string;
}

/** The repository of the counters from which all instances lease calls. */
export class CallCounterRepository extends Repository<CallCounter> {
  /** Leases calls from the counters. Returns one row per request. The keys of the requests must be different. */
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
