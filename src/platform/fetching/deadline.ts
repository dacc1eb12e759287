/** Aborts a fetch at its time limit, or when the caller cancels the fetch. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #caller: AbortSignal | undefined;
  readonly #cancel = (): void => {
    this.#controller.abort();
  };
  #isOver = false;

  constructor(ms: number, caller: AbortSignal | undefined) {
    this.#caller = caller;
    this.#timer = setTimeout(() => {
      this.#isOver = true;
      this.#controller.abort();
    }, ms);
    caller?.addEventListener('abort', this.#cancel, { once: true });
    if (caller?.aborted === true) {
      this.#cancel();
    }
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The reason for which the fetch was aborted. Undefined if it was not aborted. */
  get end(): 'timeout' | 'cancelled' | undefined {
    if (this.#isOver) {
      return 'timeout';
    }
    return this.signal.aborted ? 'cancelled' : undefined;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.#cancel);
  }
}
