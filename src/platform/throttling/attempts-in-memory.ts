import { LRUCache } from 'lru-cache';

/** The number of attempts in the current period, and the seconds until the period ends. */
export interface AttemptRow {
  readonly hits: number;
  readonly seconds_left: number;
  readonly ends_at: string;
}

/** The value of `ends_at` for a period that is counted in memory instead of the database. */
export const IN_MEMORY = '';
const MOST_KEYS = 10_000;

/** Counts login attempts in this process while the database cannot store them, so that guessing stays limited. */
export class AttemptsInMemory {
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
