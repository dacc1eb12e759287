import { setTimeout as pause } from 'node:timers/promises';

import { Logger } from '@nestjs/common';

/** Does one piece of background work, such as one import. Returns false if there is no work. */
type Work = () => Promise<boolean>;

/** Does background work in loops. A loop continues immediately while there is work, and pauses when there is none. */
export class WorkLoops {
  private readonly logger: Logger;
  private readonly stopping = new AbortController();
  private readonly loops: Promise<void>[] = [];
  /** The error that was logged last. Undefined after a piece of work succeeds. */
  private knownError: string | undefined;

  /** Logs errors under the given name. An error does not end a loop, and a repeated error is logged only once. */
  constructor(name: string) {
    this.logger = new Logger(name);
  }

  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  /**
   * Starts a loop that pauses for `everyMs` if there is no work. After work, the first pause is `soonMs`, and each
   * further pause is twice as long, because more work often follows.
   */
  start(work: Work, everyMs: number, soonMs = everyMs): void {
    this.loops.push(this.run(work, everyMs, soonMs));
  }

  /** Signals all loops to stop after their current piece of work. */
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
