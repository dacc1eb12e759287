import { setImmediate as nextTurn } from 'node:timers/promises';

/** The maximum time in ms for which long work may block the event loop. The limit applies to all calls together. */
const MOST_MS = 20;

/** The start of the current turn of long work. Undefined if other work has run since the last turn. */
let beganAt: number | undefined;
/** A promise that resolves after the last call that is waiting for a turn. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Lets other calls run if the current turn has taken too long. Await this function between the steps of long work in
 * memory.
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
