import { setTimeout as pause } from 'node:timers/promises';

import { Logger } from '@nestjs/common';

/** Does the next piece of work; false when there was none. */
type Work = () => Promise<boolean>;

/** Work that goes on in the background: while there is some, and else again after a while. */
export class WorkLoops {
  private readonly logger: Logger;
  private readonly stopping = new AbortController();
  private readonly loops: Promise<void>[] = [];
  /** The error that was logged last, until some work succeeds. */
  private knownError: string | undefined;

  /** Errors are logged under the name, and end no loop; one that lasts is logged once. */
  constructor(name: string) {
    this.logger = new Logger(name);
  }

  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  /**
   * `everyMs` is the pause after there was nothing to do. After work it begins at `soonMs` and doubles: where there was
   * some, there is often more.
   */
  start(work: Work, everyMs: number, soonMs = everyMs): void {
    this.loops.push(this.run(work, everyMs, soonMs));
  }

  /** Tells the work to come to an end. */
  stop(): void {
    this.stopping.abort();
  }

  /** When all work has come to its end. */
  async ended(): Promise<void> {
    await Promise.all(this.loops);
  }

  private async run(work: Work, everyMs: number, soonMs: number): Promise<void> {
    const { signal } = this;
    let pauseMs = everyMs;
    while (!signal.aborted) {
      if (await this.attempt(work)) {
        pauseMs = soonMs;
      } else {
        await pause(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
        pauseMs = Math.min(2 * pauseMs, everyMs);
      }
    }
  }

  private async attempt(work: Work): Promise<boolean> {
    try {
      const hasWorked = await work();
      this.knownError = undefined;
      return hasWorked;
    } catch (error) {
      this.log(error);
      return false;
    }
  }

  private log(error: unknown): void {
    const text = String(error);
    if (text !== this.knownError) {
      this.knownError = text;
      this.logger.warn(error);
    }
  }
}
