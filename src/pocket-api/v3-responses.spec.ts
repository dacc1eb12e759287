import { formatDate, formatSeconds } from './v3-responses.js';

describe('formatDate and formatSeconds', () => {
  it.each([
    [new Date('2022-03-17T00:15:34.999Z'), '2022-03-17 00:15:34', '1647476134'],
    [new Date(0), '1970-01-01 00:00:00', '0'],
    [null, '0000-00-00 00:00:00', '0'],
    [new Date(NaN), '0000-00-00 00:00:00', '0'],
    [new Date(8.64e15), '0000-00-00 00:00:00', '8640000000000'],
  ])('present %s', (date, text, seconds) => {
    expect(formatDate(date)).toBe(text);
    expect(formatSeconds(date)).toBe(seconds);
  });
});
