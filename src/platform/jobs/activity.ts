import { setTimeout as pause } from 'node:timers/promises';

/** The time in milliseconds without a request and without background work after which a process is quiet. */
const QUIET_AFTER_MS = 10_000;

/**
 * Knows whether anything happens in this process. The loops of a quiet process look for work less often, so an idle
 * service needs little processor time.
 */
export class Activity {
  private lastMs = performance.now();
  private readonly resting = new Set<AbortController>();

  /** With `canRest` false, loops never rest, because other processes answer the requests that create work. */
  constructor(private readonly canRest = true) {}

  /** Records a request or a piece of background work. All resting loops continue. */
  note(): void {
    this.lastMs = performance.now();
    this.resting.forEach((rest) => {
      rest.abort();
    });
    this.resting.clear();
  }

  /** Waits until something happens, for at most `ms` milliseconds. Does not wait if the process is not quiet. */
  async rest(ms: number, signal: AbortSignal): Promise<void> {
    if (!this.canRest || performance.now() - this.lastMs < QUIET_AFTER_MS) {
      return;
    }
    const rest = new AbortController();
    this.resting.add(rest);
    await pauseUntil(ms, AbortSignal.any([signal, rest.signal]));
    this.resting.delete(rest);
  }
}

/** Resolves after a time in milliseconds, or when the signal is aborted. Does not keep the process alive. */
export async function pauseUntil(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal, ref: false }).catch(() => undefined);
}
