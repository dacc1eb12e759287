import { setImmediate as lookAround } from 'node:timers/promises';

/** How long the calls that do long work may keep the process to themselves, all of them together. */
const STRETCH_MS = 20;

/** When the present stretch began; undefined when others have been let in since the last one. */
let stretchedSince: number | undefined;
/** The last of the calls that wait for a stretch of their own. */
let last: Promise<unknown> = Promise.resolve();

/** Lets other calls in between the steps of long work in memory. */
export class Pace {
  /** To be awaited between two steps. */
  async breathe(): Promise<void> {
    if (stretchMs() > STRETCH_MS) {
      last = last.then(() => lookAround());
      await last;
      beginStretch();
    }
  }
}

function stretchMs(): number {
  return performance.now() - (stretchedSince ?? beginStretch());
}

function beginStretch(): number {
  stretchedSince = performance.now();
  setImmediate(() => {
    stretchedSince = undefined;
  });
  return stretchedSince;
}
