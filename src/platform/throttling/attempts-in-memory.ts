import { LRUCache } from 'lru-cache';

/** The number of attempts in a window. */
export interface AttemptRow {
  readonly hits: number;
  readonly seconds_left: number;
  readonly ends_at: string;
}

/** The value of `ends_at` for a window that is not in the database. */
export const IN_MEMORY = '';
const MOST_KEYS = 10_000;

/** Counts attempts in this process while the database cannot store them, so that guesses stay limited. */
export class AttemptsInMemory {
  private readonly hits = new LRUCache<string, number>({ max: MOST_KEYS });

  /** Counts an attempt. A window begins with its first attempt, and later attempts do not extend the window. */
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
