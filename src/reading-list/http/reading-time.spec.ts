import { minutesToRead, secondsToListen } from './reading-time.js';

describe('the reading times', () => {
  it.each([
    [4410, 20],
    [2879, 13],
    [2207, 10],
    [11415, 52],
    [2665, 12],
    [8426, 38],
    [0, 0],
  ])('of %d words is %d minutes, as it was measured on the original', (words, minutes) => {
    expect(minutesToRead(words)).toBe(minutes);
  });

  it.each([
    [2665, 1032],
    [0, 0],
    [1, 0],
    [155, 60],
  ])('of %d words is %d seconds of listening', (words, seconds) => {
    expect(secondsToListen(words)).toBe(seconds);
  });
});
