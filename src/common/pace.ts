import { setImmediate } from 'node:timers/promises';

/** How long a call may keep the process to itself. */
const STRETCH_MS = 20;

/** Lets other calls in between the steps of long work in memory. */
export class Pace {
  private stretchedSince = performance.now();

  /** To be awaited between two steps. */
  async breathe(): Promise<void> {
    if (performance.now() - this.stretchedSince > STRETCH_MS) {
      await setImmediate();
      this.stretchedSince = performance.now();
    }
  }
}
