/**
 * Does some work at once, and lets the users whose work waits take turns: of a user who brings much, one piece is done
 * between two of another.
 */
export class UserTurns {
  #running = 0;
  readonly #waiting = new Map<string, (() => void)[]>();

  constructor(private readonly atOnce: number) {}

  /** How much waits, of all users. */
  get pendingCount(): number {
    return [...this.#waiting.values()].reduce((sum, { length }) => sum + length, 0);
  }

  async run<T>(userId: string, work: () => Promise<T>): Promise<T> {
    await this.#turnOf(userId);
    try {
      return await work();
    } finally {
      this.#running -= 1;
      this.#begin();
    }
  }

  #turnOf(userId: string): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(userId) ?? [];
      waiting.push(resolve);
      this.#waiting.set(userId, waiting);
      this.#begin();
    });
  }

  /** Who had a turn stands behind the others again. */
  #begin(): void {
    const [next] = this.#waiting;
    if (next === undefined || this.#running >= this.atOnce) {
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
