import { retryAfterSeconds } from './fetch-errors.js';

const NOW = Date.parse('2026-03-01T12:00:00Z');

describe('Retry-After', () => {
  it.each([
    ['0', 0],
    [' 120 ', 120],
    ['99999999999999999999', 86_400],
    ['Sun, 01 Mar 2026 12:01:30 GMT', 90],
    ['Sunday, 01-Mar-26 12:01:30 GMT', 90],
    ['Sun Mar  1 12:01:30 2026 GMT', 90],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
    ['Sun, 01 Mar 2036 12:00:00 GMT', 86_400],
    ['-1', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['Monday 3', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%s means %s', (value, seconds) => {
    expect(retryAfterSeconds(value, NOW)).toBe(seconds);
  });
});
