import { unixSeconds } from './seconds.js';

describe('a time as files write it', () => {
  it.each([
    ['1600000000', 1600000000],
    ['1600000000.9', 1600000000],
    ['1600000000123', 1600000000],
    ['1600000000123456', 1600000000],
    ['1600000000123456789', 1600000000],
    ['13244473600000000', 1600000000],
    ['2020-09-13T12:26:40.000Z', 1600000000],
    ['2020-09-13 12:26:40', 1600000000],
    ['2020-09-13T14:26:40+0200', 1600000000],
    ['2020-09-13 14:26:40+02:00', 1600000000],
    ['2020-09-13', 1599955200],
    [' 5 ', 5],
  ])('%j is read', (text, seconds) => {
    expect(unixSeconds(text)).toBe(seconds);
  });

  it.each(['', '0', '0.5', '0001-01-01', '0001-01-01T00:00:00Z', '0000-00-00 00:00:00'])(
    '%j says that there is none',
    (text) => {
      expect(unixSeconds(text)).toBeUndefined();
    },
  );

  it.each(['-1', 'yesterday', '1e9', '9'.repeat(21), '2020-13-45', 'NaN'])(
    '%j is no time',
    (text) => {
      expect(unixSeconds(text)).toBeNaN();
    },
  );

  it('is that of a year far away where a count is too small for milliseconds', () => {
    expect(unixSeconds('253402300799')).toBe(253402300799);
  });
});
