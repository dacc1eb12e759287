import { Raw } from 'typeorm';

import { CustomRepository } from '../database/custom-repository.js';
import { deleteInBatches } from '../database/delete-in-batches.js';
import { queryRows } from '../database/query-rows.js';
import { CallCounter } from './entities/call-counter.entity.js';
import { GIVE_CALLS_BACK, TAKE_CALLS } from './throttling.sql.js';

/**
 * Asks the database to count `wanted` calls in advance for this process. `allowed` is the limit per
 * hour.
 */
interface LeaseRequest {
  readonly key: string;
  readonly allowed: number;
  readonly wanted: number;
}

/**
 * The number of calls that were counted in advance. The process can allow so many calls until
 * `ends_at` without another query.
 */
export interface LeaseRow {
  readonly key: string;
  /**
   * The number of calls that were counted in advance. It may be less than `wanted`, and is 0 if the
   * limit is reached.
   */
  readonly lease: number;
  /** The number of calls that are still allowed in this hour and are not counted yet. */
  readonly left: number;
  readonly ends_at: string;
  readonly seconds_left: number;
}

/** Calls that were counted in advance but not made. */
export interface UnspentLease {
  readonly key: string;
  readonly unspent: number;
  readonly endsAt: string;
}

/** Returns the key of the counter of the API calls of a user. */
export const userCounter = (userId: string): string => `user:${userId}`;

/** Returns the key of the counter of the sync calls of a user, which have a limit of their own. */
export const syncCounter = (userId: string): string => `sync:${userId}`;

/** Queries for the counters of API calls. All processes of the service share these counters. */
export class CallCounterRepository extends CustomRepository<CallCounter> {
  static readonly entity = CallCounter;

  /**
   * Counts calls in advance. Returns one row per request. No two requests may have the same key.
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

  /**
   * Deletes the counters of a user. Deletes them in the order in which `take` locks them, so that the statements cannot
   * deadlock.
   */
  async forget(userId: string): Promise<void> {
    for (const key of [syncCounter(userId), userCounter(userId)]) {
      await this.delete({ key });
    }
  }

  async sweep(): Promise<void> {
    await deleteInBatches(this, { endsAt: Raw((column) => `${column} < now()`) });
  }
}
