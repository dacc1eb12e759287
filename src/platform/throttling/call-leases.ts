import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import DataLoader from 'dataloader';

import { Clock } from '../common/clock.js';
import { optionalWrite } from '../database/optional-write.js';
import {
  CallCounterRepository,
  type LeaseRow,
  type UnspentLease,
} from './call-counter.repository.js';

/** A counter for the calls of one user or consumer key. `limit` is the maximum number of calls per hour. */
export interface Counted {
  readonly key: string;
  readonly limit: number;
}

export const WINDOW_SECONDS = 3600;
/**
 * `spend` returns this value for a call that is allowed but not counted. `refund` ignores such a
 * call.
 */
const UNCOUNTED = '';
const GIVE_BACK_EVERY_MS = 10_000;
const MOST_AT_ONCE = 200;

/**
 * Counts API calls in PostgreSQL with few statements. One statement counts several calls in
 * advance, and this process then allows these calls without a query. Calls that were not made are
 * subtracted again after a few seconds.
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

  /**
   * Counts a call. Returns the end of the hour in which the call is counted, or undefined if the
   * limit is reached.
   */
  async spend(counted: Counted): Promise<string | undefined> {
    const window = this.allowanceOf(counted).spend(this.now());
    return window === undefined ? this.loader.load(counted) : (window ?? undefined);
  }

  /**
   * Undoes the count of a call that another limit has rejected. `window` is the result of `spend`.
   */
  refund(counted: Counted, window: string): void {
    this.allowanceOf(counted).refund(window);
  }

  quota(counted: Counted): Quota {
    return this.allowanceOf(counted).quota(this.now());
  }

  /**
   * Subtracts the calls that were counted in advance but not made. If the write fails, these calls
   * stay counted until the hour ends.
   */
  async giveBack(): Promise<void> {
    const held = [...this.allowances.values()].flatMap((allowance) => allowance.held() ?? []);
    this.allowances.clear();
    if (held.length > 0) {
      await this.counters.giveBack(held);
    }
  }

  /**
   * Starts a timer instead of a scheduled method, because scheduled methods do not run in web
   * workers.
   */
  onModuleInit(): void {
    this.givingBack = setInterval(() => void this.tryToGiveBack(), GIVE_BACK_EVERY_MS).unref();
  }

  /**
   * Subtracts the calls that were counted in advance but not made. Runs after the last response,
   * because requests that arrive during the shutdown are counted too.
   */
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
      // If the disk is full, calls are allowed without being counted, so that users can still read.
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

function numbersOf(calls: readonly Counted[]): ReadonlyMap<string, Readonly<Waiting>> {
  const waiting = new Map<string, Waiting>();
  for (const counted of calls) {
    const known = waiting.get(counted.key) ?? { counted, number: 0 };
    known.number += 1;
    waiting.set(counted.key, known);
  }
  return waiting;
}

/**
 * Returns one result per element of `calls`: the end of the hour if the call is allowed, or
 * undefined. Each counter allows as many calls as the database has counted, in the order of
 * `calls`.
 */
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

/** The state of a limit, for the `X-Limit` headers of a response. */
export interface Quota {
  readonly limit: number;
  readonly remaining: number;
  /** The number of seconds until the hour of the limit ends. */
  readonly resetSeconds: number;
}

/**
 * Each statement counts at most the remaining calls divided by this number in advance, so that
 * other processes can allow calls too. If more calls are waiting, the statement counts all waiting
 * calls.
 */
const SHARE = 100;
/**
 * The maximum number of calls that one statement counts in advance. A greater number would hardly
 * lower the cost per call.
 */
const MOST_LEASED = 50;
/**
 * After a limit is reached, calls are rejected for this time in milliseconds without a query. The
 * next query may allow calls again, because another process may have subtracted unused calls.
 */
const ASK_AGAIN_AFTER_MS = 1000;

/**
 * The calls of one user or consumer key that this process can allow without a query, and the end of
 * their hour.
 */
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
   * Allows one of the calls that were counted in advance, and returns the end of its hour. Returns
   * null if the limit is reached, and undefined if a query is needed.
   */
  spend(nowMs: number): string | null | undefined {
    if (this.unspent > 0 && nowMs < this.endsAtMs) {
      this.unspent -= 1;
      return this.endsAt;
    }
    return nowMs < Math.min(this.refusedUntilMs, this.endsAtMs) ? null : undefined;
  }

  refund(window: string): void {
    if (window !== UNCOUNTED && window === this.endsAt) {
      this.unspent += 1;
    }
  }

  /**
   * Returns the number of calls to count in the next statement. `waiting` is the number of API
   * calls that wait for this statement.
   */
  wanted(waiting: number): number {
    return Math.max(waiting, Math.min(MOST_LEASED, Math.floor(this.left / SHARE)));
  }

  /**
   * Stores the result of a statement that counted calls. `waiting` is the number of API calls that
   * waited for it. The other counted calls are available to later API calls. `askedAtMs` is the
   * time before the statement.
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
