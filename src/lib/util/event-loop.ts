import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * The maximum time in milliseconds for which long computations may block the event loop. It applies to all of them
 * together.
 */
const MOST_MS = 20;

/**
 * The time since which long computations have blocked the event loop. Undefined if other work has run in the meantime.
 */
let beganAt: number | undefined;
/** Resolves when the last waiting call of `yieldToOthers` continues. The next call waits for it. */
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
