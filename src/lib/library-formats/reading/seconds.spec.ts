import { unixSeconds } from './seconds.js';

describe('unixSeconds', () => {
  it.each([
    ['1600000000', 1600000000],
    ['1600000000.9', 1600000000],
    ['1600000000123', 1600000000],
    ['1600000000123456', 1600000000],
    ['1600000000123456789', 1600000000],
    ['13244473600000000', 1600000000],
    ['1.600000000E9', 1600000000],
    ['1.60000000012e+12', 1600000000],
    [' 5 ', 5],
    // Days since 1900, as spreadsheets count them.
    ['45244.5', 1699963200],
    ['45244', 1699920000],
    // Dates, of which the first two contain only digits.
    ['20200913', 1599955200],
    ['20200913122640', 1600000000],
    [' 2020-09-13T12:26:40.9Z ', 1600000000],
  ])('reads %j', (text, seconds) => {
    expect(unixSeconds(text)).toBe(seconds);
  });

  it.each(['', '0', '0.5', '0001-01-01', '0001-01-01T00:00:00Z', '0000-00-00 00:00:00'])(
    'returns undefined for %j, which means never',
    (text) => {
      expect(unixSeconds(text)).toBeUndefined();
    },
  );

  it.each(['-1', 'yesterday', '1e9', '1.6E+09', '9'.repeat(21), '2020-02-30', 'NaN'])(
    'returns NaN for %j',
    (text) => {
      expect(unixSeconds(text)).toBeNaN();
    },
  );

  it('reads a count as seconds if it is too small for milliseconds', () => {
    expect(unixSeconds('253402300799')).toBe(253402300799);
  });
});
