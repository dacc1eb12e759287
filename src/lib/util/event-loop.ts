import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long the calls that do long work may keep the event loop to themselves, all of them together. */
const MOST_MS = 20;

/** When the present turn of long work began; undefined when others have run since the last one. */
let beganAt: number | undefined;
/** The last of the calls that wait for a turn of their own. */
let last: Promise<unknown> = Promise.resolve();

/** To be awaited between the steps of long work in memory: lets other calls run when the present turn has been long. */
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
