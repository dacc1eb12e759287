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
});
