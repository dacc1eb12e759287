/** Runs a limited number of tasks at once, one user after the other, so a user who sends many does not delay the others. */
export class FairQueue {
  #running = 0;
  readonly #waiting = new Map<string, (() => void)[]>();

  constructor(private readonly concurrency: number) {}

  /** How many tasks wait, of all users. */
  get pendingCount(): number {
    return [...this.#waiting.values()].reduce((sum, { length }) => sum + length, 0);
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
      this.#running -= 1;
      this.#startNext();
    }
  }

  /** Moves the user of the started task to the end of the queue. */
  #startNext(): void {
    const [next] = this.#waiting;
    if (next === undefined || this.#running >= this.concurrency) {
      return;
    }
    const [userId, [first, ...others]] = next;
    this.#waiting.delete(userId);
    if (others.length > 0) {
      this.#waiting.set(userId, others);
    }
    this.#running += 1;
    first?.();
  }
}
