/** Ends a fetch when its time is over or its caller gives up, and remembers which. */
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

  /** Undefined while there is time. */
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
