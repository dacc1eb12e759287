import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import DataLoader from 'dataloader';

import { Clock } from '../common/clock.js';
import { optionalWrite } from '../database/optional-write.js';
import {
  CallCounterRepository,
  type LeaseRow,
  type UnspentLease,
} from './call-counter.repository.js';

/** A counter for the calls of `key`. `limit` is the maximum number of calls per hour. */
export interface Counted {
  readonly key: string;
  readonly limit: number;
}

export const WINDOW_SECONDS = 3600;
/** The window of a call that was not counted. Such a call is not refunded. */
const UNCOUNTED = '';
const GIVE_BACK_EVERY_MS = 10_000;
const MOST_AT_ONCE = 200;

/**
 * Spends calls of the counters in PostgreSQL, with few statements. This instance leases several calls in one statement,
 * and spends leased calls without a statement. Unspent calls are returned every few seconds. Calls that wait for a
 * lease share one statement.
 */
@Injectable()
export class CallLeases implements OnApplicationShutdown, OnModuleInit {
  private readonly logger = new Logger(CallLeases.name);
  private readonly allowances = new Map<string, Allowance>();
  private readonly loader: DataLoader<Counted, string | undefined>;
  private givingBack: NodeJS.Timeout | undefined;

  constructor(
    private readonly counters: CallCounterRepository,
    private readonly clock: Clock,
  ) {
    this.loader = new DataLoader((calls) => this.lease(calls), {
      cache: false,
      maxBatchSize: MOST_AT_ONCE,
      batchScheduleFn: setImmediate,
    });
  }

  /** Spends a call, and returns the window in which the call counts. Returns undefined if no call is left. */
  async spend(counted: Counted): Promise<string | undefined> {
    const window = this.allowanceOf(counted).spend(this.now());
    return window === undefined ? this.loader.load(counted) : (window ?? undefined);
  }

  /** Refunds a call that was spent but not made. */
  refund(counted: Counted, window: string): void {
    this.allowanceOf(counted).refund(window);
  }

  quota(counted: Counted): Quota {
    return this.allowanceOf(counted).quota(this.now());
  }

  /** Returns unspent calls to the counters. If that fails, the calls stay spent until their window ends. */
  async giveBack(): Promise<void> {
    const held = [...this.allowances.values()].flatMap((allowance) => allowance.held() ?? []);
    this.allowances.clear();
    if (held.length > 0) {
      await this.counters.giveBack(held);
    }
  }

  /**
   * Starts a timer in this process. Web workers run no scheduled methods, but each process must return its unspent
   * calls.
   */
  onModuleInit(): void {
    this.givingBack = setInterval(() => void this.tryToGiveBack(), GIVE_BACK_EVERY_MS).unref();
  }

  /** Returns the unspent calls after the last response, because calls during the shutdown may lease more calls. */
  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.givingBack);
    await this.tryToGiveBack();
  }

  private async tryToGiveBack(): Promise<void> {
    try {
      await this.giveBack();
    } catch (error) {
      this.logger.warn(`unspent calls stay counted: ${String(error)}`);
    }
  }

  private async lease(calls: readonly Counted[]): Promise<(string | undefined)[]> {
    const waiting = numbersOf(calls);
    const requests = [...waiting].map(([key, { counted, number }]) => {
      const wanted = this.allowanceOf(counted).wanted(number);
      return { key, allowed: counted.limit, wanted };
    });
    const askedAtMs = this.now();
    const rows = await optionalWrite('the number of calls', () =>
      this.counters.take(requests, WINDOW_SECONDS),
    );
    if (rows === undefined) {
      // While the disk is full, reads still work, but calls are not counted.
      return calls.map(() => UNCOUNTED);
    }
    const leases = new Map(rows.map((row) => [row.key, row]));
    for (const [key, { counted, number }] of waiting) {
      const row = leases.get(key);
      if (row !== undefined) {
        this.allowanceOf(counted).receive(row, number, askedAtMs);
      }
    }
    return shared(calls, leases);
  }

  private allowanceOf({ key, limit }: Counted): Allowance {
    const known = this.allowances.get(key);
    if (known !== undefined) {
      return known;
    }
    const allowance = new Allowance(key, limit);
    this.allowances.set(key, allowance);
    return allowance;
  }

  private readonly now = (): number => this.clock.now().getTime();
}

interface Waiting {
  readonly counted: Counted;
  number: number;
}

/** Returns the number of waiting calls for each counter. */
function numbersOf(calls: readonly Counted[]): ReadonlyMap<string, Readonly<Waiting>> {
  const waiting = new Map<string, Waiting>();
  for (const counted of calls) {
    const known = waiting.get(counted.key) ?? { counted, number: 0 };
    known.number += 1;
    waiting.set(counted.key, known);
  }
  return waiting;
}

/** Assigns the calls of a lease to the waiting calls in the order of their arrival. */
function shared(
  calls: readonly Counted[],
  leases: ReadonlyMap<string, LeaseRow>,
): (string | undefined)[] {
  const given = new Map<string, number>();
  return calls.map(({ key }) => {
    const before = given.get(key) ?? 0;
    given.set(key, before + 1);
    const lease = leases.get(key);
    return lease !== undefined && before < lease.lease ? lease.ends_at : undefined;
  });
}

/** The remaining calls of a limit, as the `X-Limit` headers show them. */
export interface Quota {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the window ends. */
  readonly resetSeconds: number;
}

/**
 * The divisor for the remaining calls. An instance leases a hundredth of the remaining calls or less, so that enough
 * calls are left for other instances.
 */
const SHARE = 100;
/**
 * The maximum number of calls in a lease. With this number, the cost of the statement per call is already negligible.
 */
const MOST_LEASED = 50;
/**
 * The time for which an exhausted counter is not queried again. During this time, another instance may return calls.
 */
const ASK_AGAIN_AFTER_MS = 1000;

/** The state of one counter in one instance: the leased calls, and the window that they belong to. */
class Allowance {
  private unspent = 0;
  private left: number;
  private endsAt = '';
  private endsAtMs = 0;
  private refusedUntilMs = 0;

  constructor(
    private readonly key: string,
    private readonly limit: number,
  ) {
    this.left = limit;
  }

  /**
   * Spends a leased call, and returns the window of the call. Returns null if no call is left, or undefined if the
   * counter must be queried.
   */
  spend(nowMs: number): string | null | undefined {
    if (this.unspent > 0 && nowMs < this.endsAtMs) {
      this.unspent -= 1;
      return this.endsAt;
    }
    return nowMs < Math.min(this.refusedUntilMs, this.endsAtMs) ? null : undefined;
  }

  /** Refunds a call that was spent in the window. */
  refund(window: string): void {
    if (window !== UNCOUNTED && window === this.endsAt) {
      this.unspent += 1;
    }
  }

  /** Returns the number of calls to lease if `waiting` calls wait. */
  wanted(waiting: number): number {
    return Math.max(waiting, Math.min(MOST_LEASED, Math.floor(this.left / SHARE)));
  }

  /**
   * Stores the remaining calls of a lease after `waiting` calls were served. `askedAtMs` is the time before the query
   * of the counter.
   */
  receive(
    { lease, left, ends_at, seconds_left }: LeaseRow,
    waiting: number,
    askedAtMs: number,
  ): void {
    const endsAtMs = askedAtMs + seconds_left * 1000;
    if (ends_at !== this.endsAt) {
      if (endsAtMs < this.endsAtMs) {
        return;
      }
      this.begin(ends_at, endsAtMs);
    }
    this.unspent += Math.max(0, lease - waiting);
    this.left = Math.min(this.left, left);
    this.refusedUntilMs = lease < waiting ? askedAtMs + ASK_AGAIN_AFTER_MS : 0;
  }

  private begin(endsAt: string, endsAtMs: number): void {
    this.unspent = 0;
    this.left = this.limit;
    this.endsAt = endsAt;
    this.endsAtMs = endsAtMs;
  }

  /** Returns the unspent calls, or undefined if all calls are spent. */
  held(): UnspentLease | undefined {
    const { key, unspent, endsAt } = this;
    return unspent > 0 ? { key, unspent, endsAt } : undefined;
  }

  quota(nowMs: number): Quota {
    const remaining = Math.min(this.limit, this.left + this.unspent);
    const resetSeconds = Math.max(1, Math.ceil((this.endsAtMs - nowMs) / 1000));
    return { limit: this.limit, remaining, resetSeconds };
  }
}
