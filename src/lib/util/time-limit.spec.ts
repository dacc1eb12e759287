import { EventEmitter, once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { reasonOf } from './reason.js';
import { startTimeLimit } from './time-limit.js';

setFlagsFromString('--expose_gc');
const collectGarbage = runInNewContext('gc') as () => void;

it('aborts a combined signal, also after a garbage collection', async () => {
  const { signal } = startTimeLimit(50);
  const waiting = once(new EventEmitter(), 'never', {
    signal: AbortSignal.any([signal, new AbortController().signal]),
  });
  const collecting = setInterval(collectGarbage, 5);

  const error: unknown = await waiting.catch((reason: unknown) => reason);

  clearInterval(collecting);
  expect(reasonOf(error)).toContain('Took more than 50 ms.');
});

it('aborts nothing after it was stopped', async () => {
  const { signal, stop } = startTimeLimit(1);

  stop();
  await new Promise((resolve) => setTimeout(resolve, 20));

  expect(signal.aborted).toBe(false);
});
