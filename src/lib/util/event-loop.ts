import { setImmediate as nextTurn } from 'node:timers/promises';

/** The maximum time in ms for which long work may block the event loop. The limit applies to all long work together. */
const MOST_MS = 20;

/** The time at which the current stretch of long work began. Undefined if other work has run since the last stretch. */
let beganAt: number | undefined;
/** A promise that resolves when the last waiting call of `yieldToOthers` continues. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Lets other work of the process run if long work has blocked the event loop for too long. Await this function between
 * the steps of long work in memory.
 */
export async function yieldToOthers(): Promise<void> {
  if (performance.now() - (beganAt ?? beginTurn()) > MOST_MS) {
    last = last.then(() => nextTurn());
    await last;
    beginTurn();
  }
}

function beginTurn(): number {
  beganAt = performance.now();
  setImmediate(() => {
    beganAt = undefined;
  });
  return beganAt;
}
