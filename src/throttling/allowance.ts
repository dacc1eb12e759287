import type { LeaseRow, UnspentLease } from './call-counter.store.js';

/** How a limit stands, as the `X-Limit` headers tell it. */
export interface Standing {
  readonly limit: number;
  readonly remaining: number;
  /** Until the window ends. */
  readonly resetSeconds: number;
}

/** An instance holds at most a hundredth of what is left, so that little is missing elsewhere. */
const SHARE = 100;
/** Beyond it the statement is already shared by so many calls that it costs nothing. */
const MOST_LEASED = 50;
/** A counter that had nothing left is not asked again for a while: another instance may give back. */
const ASK_AGAIN_AFTER_MS = 1000;

/** What one instance knows of one counter: the calls it has leased, and the window they belong to. */
export class Allowance {
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

  /** The window in which a leased call was spent; null when there is none to be had; undefined when the counter knows. */
  spend(nowMs: number): string | null | undefined {
    if (this.unspent > 0 && nowMs < this.endsAtMs) {
      this.unspent -= 1;
      return this.endsAt;
    }
    return nowMs < Math.min(this.refusedUntilMs, this.endsAtMs) ? null : undefined;
  }

  /** Takes back a call that was spent in that window. */
  refund(window: string): void {
    if (window === this.endsAt) {
      this.unspent += 1;
    }
  }

  /** How many calls to ask for when so many wait. */
  wanted(waiting: number): number {
    return Math.max(waiting, Math.min(MOST_LEASED, Math.floor(this.left / SHARE)));
  }

  /** Keeps what is left of a lease when `waiting` calls have had theirs; `askedAtMs` is before the counter was asked. */
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

  /** Undefined when there is nothing to give back. */
  held(): UnspentLease | undefined {
    const { key, unspent, endsAt } = this;
    return unspent > 0 ? { key, unspent, endsAt } : undefined;
  }

  standing(nowMs: number): Standing {
    const remaining = Math.min(this.limit, this.left + this.unspent);
    const resetSeconds = Math.max(1, Math.ceil((this.endsAtMs - nowMs) / 1000));
    return { limit: this.limit, remaining, resetSeconds };
  }
}
