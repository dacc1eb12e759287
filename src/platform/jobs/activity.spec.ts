import { Activity } from './activity.js';

const A_DAY_MS = 86_400_000;
const never = new AbortController().signal;

let nowMs: number;

beforeEach(() => {
  nowMs = 1000;
  jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
});
afterEach(() => {
  jest.restoreAllMocks();
});

describe('the loops of a process', () => {
  it('do not rest soon after a request', async () => {
    const activity = new Activity();
    nowMs += A_DAY_MS;
    activity.note();
    nowMs += 9999;

    await expect(activity.rest(A_DAY_MS, never)).resolves.toBeUndefined();
  });

  it('rest in a quiet process until the next request', async () => {
    const activity = new Activity();
    nowMs += 10_000;
    const order: string[] = [];
    const rested = activity.rest(A_DAY_MS, never).then(() => order.push('continued'));

    await new Promise(setImmediate);
    order.push('request');
    activity.note();
    await rested;

    expect(order).toEqual(['request', 'continued']);
  });

  it('rest no longer than the given time', async () => {
    const activity = new Activity();
    nowMs += A_DAY_MS;

    await expect(activity.rest(1, never)).resolves.toBeUndefined();
  });

  it('stop to rest when the service stops', async () => {
    const activity = new Activity();
    nowMs += A_DAY_MS;
    const stopping = new AbortController();
    const rested = activity.rest(A_DAY_MS, stopping.signal);

    stopping.abort();

    await expect(rested).resolves.toBeUndefined();
  });

  it('never rest if other processes get the requests', async () => {
    const activity = new Activity(false);
    nowMs += A_DAY_MS;

    await expect(activity.rest(A_DAY_MS, never)).resolves.toBeUndefined();
  });
});
