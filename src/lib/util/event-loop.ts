import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds for which all calls with long work together may block the event loop. */
const MOST_MS = 20;

/** Start of the current turn of long work. Undefined if other work has run since the last turn. */
let beganAt: number | undefined;
/** Resolves after the last of the calls that wait for a turn. */
let last: Promise<unknown> = Promise.resolve();

/** Lets other calls run if the current turn has been long. Await this between the steps of long work in memory. */
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
