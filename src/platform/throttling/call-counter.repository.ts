import { Repository } from 'typeorm';

import { queryRows } from '../database/query-rows.js';
import type { CallCounter } from './entities/call-counter.entity.js';
import { GIVE_CALLS_BACK, SWEEP_CALLS, TAKE_CALLS } from './throttling.sql.js';

/** What an instance asks for: `wanted` calls of a counter that allows `allowed` in its window. */
interface LeaseRequest {
  readonly key: string;
  readonly allowed: number;
  readonly wanted: number;
}

/** What it gets, in the window that `ends_at` names. */
export interface LeaseRow {
  readonly key: string;
  /** At most what was wanted; 0 when all are taken. */
  readonly lease: number;
  /** What is not taken yet. */
  readonly left: number;
  readonly ends_at: string;
  readonly seconds_left: number;
}

/** Calls that an instance has taken and not spent. */
export interface UnspentLease {
  readonly key: string;
  readonly unspent: number;
  readonly endsAt: string;
}

/** The counters that all instances take their calls from. */
export class CallCounterRepository extends Repository<CallCounter> {
  /** One row for each request; their keys differ. */
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
