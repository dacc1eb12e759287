import { Pace } from './pace.js';

describe('Pace', () => {
  it('lets others in when a stretch was long', async () => {
    const pace = new Pace();
    const wait = (): void => {
      const start = performance.now();
      while (performance.now() - start < 25) {
        // Nobody else runs.
      }
    };
    let othersRan = 0;
    setImmediate(() => (othersRan += 1));

    await pace.breathe();
    expect(othersRan).toBe(0);
    wait();
    await pace.breathe();
    expect(othersRan).toBe(1);
    setImmediate(() => (othersRan += 1));
    await pace.breathe();
    expect(othersRan).toBe(1);
  });
});
