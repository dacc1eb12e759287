import { Injectable } from '@nestjs/common';
import type { ThrottlerStorage } from '@nestjs/throttler';
import { InjectRepository } from '@nestjs/typeorm';
import { LRUCache } from 'lru-cache';
import { MoreThan, Raw, Repository } from 'typeorm';

import { deleteInBatches } from '../database/delete-in-batches.js';
import { optionalWrite } from '../database/optional-write.js';
import { queryRows } from '../database/query-rows.js';
import { Every } from '../jobs/every.js';
import { Metric, type Sample } from '../metrics/metric.js';
import { Tally } from '../metrics/tally.js';
import { CallCounterRepository } from './call-counter.repository.js';
import { ThrottleCounter } from './entities/throttle-counter.entity.js';
import { LIMIT_REFUSALS } from './limit-refusals.js';
import { COUNT_ATTEMPT } from './throttling.sql.js';

type ThrottlerRecord = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/** A counted attempt, with the data for undoing the count. */
interface CountedAttempt {
  readonly key: string;
  /**
   * The end of the period in which the attempt was counted. It is text, because a JavaScript Date is less precise than
   * a time of the database.
   */
  readonly endsAt: string;
}

/** A limit for the number of attempts, such as logins to an account. */
export interface AttemptLimit {
  readonly key: string;
  /** The maximum number of attempts in a period. It is at least 1. */
  readonly limit: number;
}

export interface Refusal<L extends AttemptLimit> extends CountedAttempt {
  readonly by: L;
  /** The number of seconds until the period ends. */
  readonly retryAfterSeconds: number;
}

interface AttemptRow {
  readonly hits: number;
  readonly seconds_left: number;
  readonly ends_at: string;
}

/** The value of `ends_at` for attempts that are counted in memory instead of the database. */
const IN_MEMORY = '';
const MOST_KEYS = 10_000;

/**
 * Counts login attempts in this process while the database cannot store them, so that password guessing stays limited.
 */
class AttemptsInMemory {
  private readonly hits = new LRUCache<string, number>({ max: MOST_KEYS });

  /** Counts an attempt. A period begins with its first attempt, and later attempts do not extend it. */
  count(key: string, ttlMs: number): AttemptRow {
    const leftMs = this.hits.has(key) ? this.hits.getRemainingTTL(key) : ttlMs;
    const hits = (this.hits.get(key) ?? 0) + 1;
    this.hits.set(key, hits, { ttl: Math.max(1, leftMs) });
    return { hits, seconds_left: Math.ceil(leftMs / 1000), ends_at: IN_MEMORY };
  }

  takeBack(key: string): void {
    const hits = this.hits.get(key) ?? 0;
    if (hits > 0) {
      this.hits.set(key, hits - 1, { ttl: Math.max(1, this.hits.getRemainingTTL(key)) });
    }
  }
}

const SWEEP_EVERY_MS = 10 * 60 * 1000;

/** Returns the name of a limit from the key of its counter, which `throttleKey` creates. */
const limitOf = (key: string): string => key.split(':', 1).join('');

/** Counts attempts, such as logins, in PostgreSQL. All instances of the service share the counters. */
@Injectable()
export class ThrottleStorage implements ThrottlerStorage {
  /** Counts attempts in memory if the database cannot store them. */
  private readonly uncounted = new AttemptsInMemory();
  private readonly refused = new Tally();

  constructor(
    @InjectRepository(ThrottleCounter) private readonly attempts: Repository<ThrottleCounter>,
    private readonly calls: CallCounterRepository,
  ) {}

  /** Counts an attempt. A caller over the limit must wait until the period ends. */
  async increment(
    key: string,
    ttlMs: number,
    limit: number,
  ): Promise<ThrottlerRecord & CountedAttempt> {
    const values = [key, ttlMs / 1000];
    const rows = await optionalWrite('an attempt to log in', () =>
      queryRows<AttemptRow>(this.attempts.manager, COUNT_ATTEMPT, values),
    );
    const row = rows === undefined ? this.uncounted.count(key, ttlMs) : rows[0];
    const totalHits = row?.hits ?? 0;
    this.noteRefusal(key, totalHits > limit);
    const timeToExpire = Math.max(1, row?.seconds_left ?? 0);
    return {
      key,
      endsAt: row?.ends_at ?? '',
      totalHits,
      timeToExpire,
      isBlocked: totalHits > limit,
      timeToBlockExpire: timeToExpire,
    };
  }

  private noteRefusal(key: string, isRefused: boolean): void {
    if (isRefused) {
      this.refused.add(limitOf(key));
    }
  }

  @Metric(LIMIT_REFUSALS)
  refusals(): readonly Sample[] {
    return this.refused.samples('limit');
  }

  /**
   * Counts an attempt against several limits. If one of the limits is reached, the attempt is
   * rejected and not counted at all.
   */
  async incrementAll<L extends AttemptLimit>(
    limits: readonly L[],
    ttlMs: number,
  ): Promise<{ counted: readonly CountedAttempt[]; refusal: Refusal<L> | undefined }> {
    const counted: CountedAttempt[] = [];
    for (const by of limits) {
      const attempt = await this.increment(by.key, ttlMs, by.limit);
      counted.push(attempt);
      if (attempt.isBlocked) {
        await this.takeAllBack(counted);
        const { key, endsAt, timeToExpire: retryAfterSeconds } = attempt;
        return { counted: [], refusal: { by, key, endsAt, retryAfterSeconds } };
      }
    }
    return { counted, refusal: undefined };
  }

  async takeAllBack(attempts: readonly CountedAttempt[]): Promise<void> {
    await Promise.all(attempts.map((attempt) => this.takeBack(attempt)));
  }

  /** Subtracts a counted attempt if its period has not ended. The counter of a later period stays unchanged. */
  async takeBack({ key, endsAt }: CountedAttempt): Promise<void> {
    if (endsAt === IN_MEMORY) {
      this.uncounted.takeBack(key);
      return;
    }
    const expiresAt = Raw((column) => `${column} = CAST(:endsAt AS timestamptz)`, { endsAt });
    await optionalWrite('a successful login', () =>
      this.attempts.decrement({ key, expiresAt, hits: MoreThan(0) }, 'hits', 1),
    );
  }

  async forget(key: string): Promise<void> {
    await this.attempts.delete({ key });
  }

  /** Deletes the counters of attempts and the counters of calls after the end of their periods. */
  @Every(SWEEP_EVERY_MS)
  async sweep(): Promise<void> {
    await deleteInBatches(this.attempts, { expiresAt: Raw((column) => `${column} < now()`) });
    await this.calls.sweep();
  }
}
