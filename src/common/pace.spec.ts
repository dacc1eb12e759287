import { Pace } from './pace.js';

describe('Pace', () => {
  let now = 0;

  beforeEach(() => {
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => jest.restoreAllMocks());

  it('lets others in when a stretch was long', async () => {
    const pace = new Pace();
    let othersRan = 0;
    setImmediate(() => (othersRan += 1));

    await pace.breathe();
    expect(othersRan).toBe(0);
    now += 25;
    await pace.breathe();
    expect(othersRan).toBe(1);
    setImmediate(() => (othersRan += 1));
    await pace.breathe();
    expect(othersRan).toBe(1);
  });

  it('lets others in between the stretches of different calls, however many there are', async () => {
    const events: string[] = [];
    const call = async (): Promise<void> => {
      const pace = new Pace();
      for (let step = 0; step < 3; step += 1) {
        await pace.breathe();
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
      // As requests that have arrived together: one after the other, and nothing else in between.
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
