import { LRUCache } from 'lru-cache';

const REMEMBERED = 10_000;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 5 * 60 * 1000;

interface Pause {
  readonly lastsMs: number;
  readonly untilMs: number;
}

/**
 * Postpones the work of single users after temporary errors, for example while the database server with their lists is
 * unreachable. The work of other users continues. The first pause is one second, and each further pause twice as long.
 */
export class Backoff {
  private readonly pauses = new LRUCache<string, Pause>({ max: REMEMBERED });

  postpone(userId: string): void {
    const lastMs = this.pauses.peek(userId)?.lastsMs;
    const lastsMs = lastMs === undefined ? FIRST_PAUSE_MS : Math.min(2 * lastMs, LONGEST_PAUSE_MS);
    this.pauses.set(userId, { lastsMs, untilMs: performance.now() + lastsMs });
  }

  forget(userId: string): void {
    this.pauses.delete(userId);
  }

  isPostponed(userId: string): boolean {
    return (this.pauses.peek(userId)?.untilMs ?? 0) > performance.now();
  }

  /** Returns the users whose work is postponed now. */
  postponed(): string[] {
    return [...this.pauses.keys()].filter((userId) => this.isPostponed(userId));
  }
}
