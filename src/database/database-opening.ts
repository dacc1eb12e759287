import { setTimeout as pause } from 'node:timers/promises';

import { Logger } from '@nestjs/common';

import { isDatabaseAway } from './database-fault.js';

/** After an attempt that failed; the last one again and again. */
const PAUSES_SECONDS = [1, 2, 4, 8];

/** Opens the database when the service starts: at once, or as soon as it answers. */
export class DatabaseOpening {
  private readonly logger = new Logger(DatabaseOpening.name);
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;

  constructor(private readonly open: () => Promise<void>) {}

  /**
   * Ends when the database is open, or is known to be away: then it is tried again in the background, where
   * `onFailure` hears of what does not pass by itself. Before that it throws what does not.
   */
  async begin(onFailure: (error: Error) => void): Promise<void> {
    if (await this.attempt(0)) {
      return;
    }
    this.running = this.repeat().catch((error: unknown) => {
      onFailure(error instanceof Error ? error : new Error(String(error)));
    });
  }

  /** Ends what goes on in the background. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async repeat(): Promise<void> {
    const { signal } = this.stopping;
    let failures = 0;
    do {
      await pause(pauseSeconds(failures) * 1000, undefined, { signal }).catch(() => undefined);
      failures += 1;
    } while (!signal.aborted && !(await this.attempt(failures)));
  }

  private async attempt(failures: number): Promise<boolean> {
    try {
      await this.open();
      return true;
    } catch (error) {
      if (!isDatabaseAway(error)) {
        throw error;
      }
      const reason = error instanceof Error ? error.message : String(error);
      this.logger.warn(`${reason}; tried again in ${pauseSeconds(failures)} s`);
      return false;
    }
  }
}

const pauseSeconds = (failures: number): number =>
  PAUSES_SECONDS[failures] ?? PAUSES_SECONDS.at(-1) ?? 0;
