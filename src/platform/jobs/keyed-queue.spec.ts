import { KeyedQueue } from './keyed-queue.js';

const AN_HOUR_MS = 3_600_000;

/** Creates work that ends when the test calls `end`. */
function aStep() {
  let end: (error?: Error) => void = () => undefined;
  const done = new Promise<void>((resolve, reject) => {
    end = (error) => {
      if (error === undefined) {
        resolve();
      } else {
        reject(error);
      }
    };
  });
  return { done, end };
}

describe('KeyedQueue', () => {
  it('lets one call of a person work at a time, in the order of asking, and others meanwhile', async () => {
    const queue = new KeyedQueue({ concurrency: 1, maxCalls: 64 });
    const events: string[] = [];
    const [first, second] = [aStep(), aStep()];
    const run = (name: string, user: string, step = aStep()) =>
      queue.run(user, async () => {
        events.push(`${name} begins`);
        await step.done;
        events.push(`${name} ends`);
      });

    const calls = [run('a1', 'a', first), run('a2', 'a', second)];
    await queue.run('b', () => Promise.resolve(events.push('b')));
    second.end();
    first.end();
    await Promise.all(calls);

    expect(events).toEqual(['a1 begins', 'b', 'a1 ends', 'a2 begins', 'a2 ends']);
  });

  it('lets as many calls of a user work at a time as configured', async () => {
    const queue = new KeyedQueue({ concurrency: 2, maxCalls: 64 });
    const events: string[] = [];
    const steps = [aStep(), aStep(), aStep()];
    const calls = steps.map(({ done }, at) =>
      queue.run('a', async () => {
        events.push(`${at} begins`);
        await done;
        events.push(`${at} ends`);
      }),
    );

    steps[1]?.end();
    await calls[1];
    await new Promise(setImmediate);
    steps[2]?.end();
    await calls[2];
    steps[0]?.end();
    await calls[0];

    expect(events).toEqual(['0 begins', '1 begins', '1 ends', '2 begins', '2 ends', '0 ends']);
  });

  it('goes on after a failure, which its own caller hears of alone', async () => {
    const queue = new KeyedQueue({ concurrency: 1, maxCalls: 64 });

    const failing = queue.run('a', () => Promise.reject(new Error('no')));
    const next = queue.run('a', () => Promise.resolve(1));

    await expect(failing).rejects.toThrow('no');
    await expect(next).resolves.toBe(1);
  });

  it('refuses when more wait than any person has clients, and takes calls again afterwards', async () => {
    const queue = new KeyedQueue({ concurrency: 1, maxCalls: 64 });
    const step = aStep();
    const calls = Array.from({ length: 64 }, () => queue.run('a', () => step.done));

    await expect(queue.run('a', () => step.done)).rejects.toMatchObject({ code: 'service_busy' });
    await expect(queue.run('b', () => Promise.resolve(2))).resolves.toBe(2);
    step.end();
    await Promise.all(calls);

    await expect(queue.run('a', () => Promise.resolve(3))).resolves.toBe(3);
  });

  it('takes a call that follows at once upon one that is just ending, also upon one that failed', async () => {
    const queue = new KeyedQueue({ concurrency: 1, maxCalls: 1, patienceMs: AN_HOUR_MS });
    const step = aStep();
    const failing = queue.run('a', () => step.done);
    const next = queue.run('a', () => Promise.resolve('made'));

    step.end(new Error('no'));

    await expect(failing).rejects.toThrow('no');
    await expect(next).resolves.toBe('made');
  });

  it('takes only as many of the calls that wait for an end as there is room for', async () => {
    const queue = new KeyedQueue({ concurrency: 1, maxCalls: 1, patienceMs: AN_HOUR_MS });
    const [first, second] = [aStep(), aStep()];
    const making = queue.run('a', () => first.done);
    const waiting = [1, 2].map(() => queue.run('a', () => second.done));

    first.end();
    await making;

    await expect(waiting[1]).rejects.toMatchObject({ code: 'service_busy' });
    second.end();
    await expect(waiting[0]).resolves.toBeUndefined();
  });

  it('rejects with the given error', async () => {
    const refusal = (): Error => new Error('one is under way');
    const queue = new KeyedQueue({ concurrency: 1, maxCalls: 1, patienceMs: 20, refusal });
    const step = aStep();
    const making = queue.run('a', () => step.done);

    await expect(queue.run('a', () => step.done)).rejects.toThrow('one is under way');
    step.end();
    await making;
  });
});
