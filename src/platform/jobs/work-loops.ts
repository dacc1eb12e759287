import { setTimeout as pause } from 'node:timers/promises';

import { Logger } from '@nestjs/common';

/** Does the next piece of work. Returns false if there is none. */
type Work = () => Promise<boolean>;

/** Runs work in the background. Repeats it at once while there is work, and otherwise after a pause. */
export class WorkLoops {
  private readonly logger: Logger;
  private readonly stopping = new AbortController();
  private readonly loops: Promise<void>[] = [];
  /** The error that was logged last, until some work succeeds. */
  private knownError: string | undefined;

  /** Logs errors under the name. An error does not end a loop, and a persistent error is logged once. */
  constructor(name: string) {
    this.logger = new Logger(name);
  }

  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  /**
   * Starts a loop. `everyMs` is the pause if there is no work. After work, the pause starts at `soonMs` and doubles,
   * because more work often follows.
   */
  start(work: Work, everyMs: number, soonMs = everyMs): void {
    this.loops.push(this.run(work, everyMs, soonMs));
  }

  /** Signals the loops to stop. */
  stop(): void {
    this.stopping.abort();
  }

  /** Resolves when all loops have ended. */
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
