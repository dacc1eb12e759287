import { yieldToOthers } from './event-loop.js';

describe('yieldToOthers', () => {
  let now = 0;

  beforeEach(() => {
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => jest.restoreAllMocks());

  it('lets others in when a stretch was long', async () => {
    let othersRan = 0;
    setImmediate(() => (othersRan += 1));

    await yieldToOthers();
    expect(othersRan).toBe(0);
    now += 25;
    await yieldToOthers();
    expect(othersRan).toBe(1);
    setImmediate(() => (othersRan += 1));
    await yieldToOthers();
    expect(othersRan).toBe(1);
  });

  it('lets others in between the stretches of different calls, however many there are', async () => {
    const events: string[] = [];
    const call = async (): Promise<void> => {
      for (let step = 0; step < 3; step += 1) {
        await yieldToOthers();
        events.push('step');
        now += 25;
      }
    };
    let isOver = false;
    const others = (): void => {
      events.push('others');
      if (!isOver) {
        setImmediate(others);
      }
    };
    setImmediate(others);

    const calls: Promise<void>[] = [];
    for (let count = 0; count < 5; count += 1) {
      calls.push(call());
      // Calls arrive like simultaneous requests: one after the other, and with nothing else in between.
      await new Promise<void>((resolve) => {
        process.nextTick(resolve);
      });
    }
    await Promise.all(calls);
    isOver = true;

    expect(events.filter((event) => event === 'step')).toHaveLength(15);
    expect(events.join(' ')).not.toContain('step step');
  });
});
