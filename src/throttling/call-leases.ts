import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import DataLoader from 'dataloader';

import { Clock } from '../common/clock.js';
import { Database } from '../database/database.js';
import { Allowance, type Standing } from './allowance.js';
import { CallCounterStore, type LeaseRow } from './call-counter.store.js';

/** What is counted: the calls of `key`, of which `limit` are allowed in an hour. */
export interface Counted {
  readonly key: string;
  readonly limit: number;
}

export const WINDOW_SECONDS = 3600;
const GIVE_BACK_EVERY_MS = 10_000;
const MOST_AT_ONCE = 200;

/**
 * Spends calls of the counters in PostgreSQL, many at once: this instance leases some, spends them without another
 * statement, and gives back every few seconds what it has not spent. Calls that wait for a lease share a statement.
 */
@Injectable()
export class CallLeases implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(CallLeases.name);
  private readonly allowances = new Map<string, Allowance>();
  private readonly loader: DataLoader<Counted, string | undefined>;
  private returning: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    this.loader = new DataLoader((calls) => this.lease(calls), {
      cache: false,
      maxBatchSize: MOST_AT_ONCE,
      batchScheduleFn: setImmediate,
    });
  }

  /** The window in which a call was spent; undefined when none is left. */
  async spend(counted: Counted): Promise<string | undefined> {
    const window = this.allowanceOf(counted).spend(this.now());
    return window === undefined ? this.loader.load(counted) : (window ?? undefined);
  }

  /** Takes back a call that was spent and not made. */
  refund(counted: Counted, window: string): void {
    this.allowanceOf(counted).refund(window);
  }

  standing(counted: Counted): Standing {
    return this.allowanceOf(counted).standing(this.now());
  }

  /** What cannot be given back stays spent until its window ends. */
  async giveBack(): Promise<void> {
    const held = [...this.allowances.values()].flatMap((allowance) => allowance.held() ?? []);
    this.allowances.clear();
    if (held.length > 0) {
      await this.database.read((manager) => new CallCounterStore(manager).giveBack(held));
    }
  }

  onModuleInit(): void {
    this.returning = setInterval(() => void this.tryToGiveBack(), GIVE_BACK_EVERY_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.returning);
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
    const rows = await this.database.read((manager) =>
      new CallCounterStore(manager).take(requests, WINDOW_SECONDS),
    );
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

/** How many calls wait for each counter. */
function numbersOf(calls: readonly Counted[]): ReadonlyMap<string, Readonly<Waiting>> {
  const waiting = new Map<string, Waiting>();
  for (const counted of calls) {
    const known = waiting.get(counted.key) ?? { counted, number: 0 };
    known.number += 1;
    waiting.set(counted.key, known);
  }
  return waiting;
}

/** Those that came first get what a lease has. */
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
