import { Backoff } from './backoff.js';

let nowMs: number;

beforeEach(() => {
  nowMs = 1000;
  jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
});
afterEach(() => {
  jest.restoreAllMocks();
});

describe('Backoff', () => {
  it('postpones one user for a second, then for twice as long', () => {
    const backoff = new Backoff();

    backoff.postpone('7');
    const first = [backoff.postponed(), backoff.isPostponed('8')];
    nowMs += 1000;
    const later = backoff.isPostponed('7');
    backoff.postpone('7');
    nowMs += 1999;

    expect(first).toEqual([['7'], false]);
    expect(later).toBe(false);
    expect(backoff.isPostponed('7')).toBe(true);
    nowMs += 1;
    expect(backoff.postponed()).toEqual([]);
  });

  it('postpones no user for longer than five minutes', () => {
    const backoff = new Backoff();
    for (let failure = 0; failure < 20; failure += 1) {
      backoff.postpone('7');
    }

    nowMs += 300_000;

    expect(backoff.isPostponed('7')).toBe(false);
  });

  it('begins with the shortest pause again after a success', () => {
    const backoff = new Backoff();
    backoff.postpone('7');
    backoff.postpone('7');

    backoff.forget('7');
    const afterSuccess = backoff.isPostponed('7');
    backoff.postpone('7');
    nowMs += 1000;

    expect([afterSuccess, backoff.isPostponed('7')]).toEqual([false, false]);
  });
});
