interface FairQueueLimits {
  /** The maximum number of tasks that run in parallel, for all users together. */
  readonly concurrency: number;
  /** The maximum number of tasks of one user that run in parallel. The default is the value of `concurrency`. */
  readonly perUser?: number;
}

/**
 * Runs a limited number of tasks in parallel. Alternates between users, so that a user with many tasks does not delay
 * the others.
 */
export class FairQueue {
  #running = 0;
  readonly #runningByUser = new Map<string, number>();
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #concurrency: number;
  readonly #perUser: number;

  constructor({ concurrency, perUser = concurrency }: FairQueueLimits) {
    this.#concurrency = concurrency;
    this.#perUser = perUser;
  }

  /** The number of waiting tasks of all users. */
  get pendingCount(): number {
    return [...this.#waiting.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /** The number of waiting tasks of one user. */
  pendingCountOf(userId: string): number {
    return this.#waiting.get(userId)?.length ?? 0;
  }

  async run<T>(userId: string, task: () => Promise<T>): Promise<T> {
    await new Promise<void>((resolve) => {
      const waiting = this.#waiting.get(userId) ?? [];
      waiting.push(resolve);
      this.#waiting.set(userId, waiting);
      this.#startNext();
    });
    try {
      return await task();
    } finally {
      this.#count(userId, -1);
      this.#startNext();
    }
  }

  /**
   * Starts a task of the first user in the queue who is below the limit per user. Then moves this user to the end of
   * the queue.
   */
  #startNext(): void {
    if (this.#running >= this.#concurrency) {
      return;
    }
    const next = [...this.#waiting].find(([userId]) => this.#runningOf(userId) < this.#perUser);
    if (next === undefined) {
      return;
    }
    const [userId, [first, ...others]] = next;
    this.#waiting.delete(userId);
    if (others.length > 0) {
      this.#waiting.set(userId, others);
    }
    this.#count(userId, 1);
    first?.();
  }

  #runningOf(userId: string): number {
    return this.#runningByUser.get(userId) ?? 0;
  }

  #count(userId: string, change: 1 | -1): void {
    this.#running += change;
    const running = this.#runningOf(userId) + change;
    if (running === 0) {
      this.#runningByUser.delete(userId);
    } else {
      this.#runningByUser.set(userId, running);
    }
  }
}
