import { setImmediate as nextTurn } from 'node:timers/promises';

/** The maximum time in milliseconds for which all long computations together may block the event loop. */
const MOST_MS = 20;

/**
 * The time at which long computations began to block the event loop. Undefined if the event loop has run other work
 * since then.
 */
let beganAt: number | undefined;
/**
 * The latest waiting call of `yieldToOthers`. The waiting calls form a chain, so that only one of
 * them continues per turn of the event loop, and other work runs between them.
 */
let last: Promise<unknown> = Promise.resolve();

/**
 * Lets other work of the process run if computations have blocked the event loop for too long. Call this function
 * between the steps of a long computation.
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
