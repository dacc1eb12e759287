import { Logger } from '@nestjs/common';

import type { Clock } from '../common/clock.js';
import { Activity, pauseUntil } from './activity.js';

/** Does one piece of background work, such as one import. Returns false if there is no work. */
type Work = () => Promise<boolean>;

interface Timing {
  /** The pause in milliseconds if there is no work. */
  readonly everyMs: number;
  /**
   * The first pause in milliseconds when there is no more work. Each further pause is twice as long, up to `everyMs`.
   * The default is `everyMs`. Set a shorter pause if new work often follows soon.
   */
  readonly soonMs?: number;
  /** The pause before the first piece of work. The default is no pause. */
  readonly firstMs?: number;
  /**
   * The longest further pause in milliseconds of a quiet process. A request or a piece of work of any loop of the process
   * ends this pause. The default is four seconds.
   */
  readonly restMs?: number;
}

const REST_MS = 4000;

/** The state of the work loops, as `/health` shows it. */
export interface LoopsReport {
  /** `down` if the latest piece of work of a loop failed. The log contains the error. */
  readonly status: 'up' | 'down';
  /** The time at which a piece of work last succeeded, in ISO 8601. Null if none has succeeded yet. */
  readonly last_success_at: string | null;
}

/** The time in milliseconds after which a repeated error is logged again. */
const LOG_AGAIN_MS = 60 * 60 * 1000;

/** Does background work in loops. A loop continues immediately while there is work, and pauses when there is none. */
export class WorkLoops {
  private readonly logger: Logger;
  private readonly stopping = new AbortController();
  private readonly loops: Promise<void>[] = [];
  /**
   * The errors of the loops whose latest piece of work failed, keyed by the function of the loop.
   */
  private readonly errors = new Map<Work, string>();
  /**
   * The time in milliseconds at which a repeated error was last logged, keyed by the error message.
   */
  private readonly loggedAtMs = new Map<string, number>();
  private lastSuccess: Date | undefined;

  /**
   * Logs errors under the given name. A repeated error is logged once an hour. An error does not
   * end a loop.
   */
  constructor(
    readonly name: string,
    private readonly clock: Clock,
    private readonly activity = new Activity(),
  ) {
    this.logger = new Logger(name);
  }

  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  get hasLoops(): boolean {
    return this.loops.length > 0;
  }

  get report(): LoopsReport {
    return {
      status: this.errors.size === 0 ? 'up' : 'down',
      last_success_at: this.lastSuccess?.toISOString() ?? null,
    };
  }

  /** Starts a loop that does one piece of work after the other. Each loop needs its own function. */
  start(work: Work, timing: Timing): void {
    this.loops.push(this.run(work, timing));
  }

  /** Signals all loops to stop after their current piece of work. */
  stop(): void {
    this.stopping.abort();
  }

  /** Resolves when all loops have ended. */
  async ended(): Promise<void> {
    await Promise.all(this.loops);
  }

  private async run(
    work: Work,
    { everyMs, soonMs = everyMs, firstMs = 0, restMs = REST_MS }: Timing,
  ): Promise<void> {
    if (firstMs > 0) {
      await pauseUntil(firstMs, this.signal);
    }
    let pauseMs = everyMs;
    while (!this.signal.aborted) {
      if (await this.attempt(work)) {
        pauseMs = soonMs;
      } else {
        await pauseUntil(pauseMs, this.signal);
        await this.activity.rest(restMs, this.signal);
        pauseMs = Math.min(2 * pauseMs, everyMs);
      }
    }
  }

  private async attempt(work: Work): Promise<boolean> {
    try {
      const hasWorked = await work();
      this.forget(work);
      this.lastSuccess = this.clock.now();
      if (hasWorked) {
        this.activity.note();
      }
      return hasWorked;
    } catch (error) {
      this.log(work, error);
      return false;
    }
  }

  private log(work: Work, error: unknown): void {
    const text = String(error);
    if (this.errors.get(work) !== text) {
      this.forget(work);
      this.errors.set(work, text);
    }
    const nowMs = this.clock.now().getTime();
    if (nowMs - (this.loggedAtMs.get(text) ?? -Infinity) >= LOG_AGAIN_MS) {
      this.loggedAtMs.set(text, nowMs);
      this.logger.warn(error);
    }
  }

  /** Removes the error of a loop. Other loops may still have the same error. */
  private forget(work: Work): void {
    const text = this.errors.get(work);
    this.errors.delete(work);
    if (text !== undefined && ![...this.errors.values()].includes(text)) {
      this.loggedAtMs.delete(text);
    }
  }
}
