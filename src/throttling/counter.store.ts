import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { ThrottlerStorage } from '@nestjs/throttler';

import { Database } from '../database/database.js';
import { CallCounterStore } from './call-counter.store.js';

type ThrottlerRecord = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/** A window begins with its first hit and is not prolonged by later ones. */
const COUNT_HIT = `
  INSERT INTO throttle_counters AS counter (key, hits, expires_at)
  VALUES ($1, 1, now() + make_interval(secs => $2))
  ON CONFLICT (key) DO UPDATE SET
    hits = CASE WHEN counter.expires_at > now() THEN counter.hits + 1 ELSE 1 END,
    expires_at = CASE WHEN counter.expires_at > now() THEN counter.expires_at ELSE excluded.expires_at END
  RETURNING hits, ceil(extract(epoch FROM expires_at - now()))::int AS seconds_left`;

const SWEEP = `
  DELETE FROM throttle_counters WHERE key IN
    (SELECT key FROM throttle_counters WHERE expires_at < now() FOR UPDATE SKIP LOCKED)`;

const SWEEP_EVERY_MS = 10 * 60 * 1000;

/** Counts attempts in PostgreSQL, so that every instance of the service sees the same numbers. */
@Injectable()
export class CounterStore implements ThrottlerStorage, OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(CounterStore.name);
  private sweeping: NodeJS.Timeout | undefined;

  constructor(private readonly database: Database) {}

  /** Whoever is over the limit waits for the end of the window. */
  async increment(key: string, ttlMs: number, limit: number): Promise<ThrottlerRecord> {
    const [row] = await this.database.read((manager) =>
      manager.query<{ hits: number; seconds_left: number }[]>(COUNT_HIT, [key, ttlMs / 1000]),
    );
    const totalHits = row?.hits ?? 0;
    const timeToExpire = Math.max(1, row?.seconds_left ?? 0);
    return {
      totalHits,
      timeToExpire,
      isBlocked: totalHits > limit,
      timeToBlockExpire: timeToExpire,
    };
  }

  async forget(key: string): Promise<void> {
    await this.database.read((manager) =>
      manager.query('DELETE FROM throttle_counters WHERE key = $1', [key]),
    );
  }

  async sweep(): Promise<void> {
    await this.database.read((manager) => manager.query(SWEEP));
    await this.database.read((manager) => new CallCounterStore(manager).sweep());
  }

  onModuleInit(): void {
    const warn = (error: unknown): void => {
      this.logger.warn(error);
    };
    const sweep = (): void => void this.sweep().catch(warn);
    this.sweeping = setInterval(sweep, SWEEP_EVERY_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.sweeping);
  }
}
