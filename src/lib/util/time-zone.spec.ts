import { canonicalTimeZone, isTimeZone } from './time-zone.js';

describe('a time zone', () => {
  it.each(['Europe/Zurich', 'UTC', 'Asia/Kathmandu', 'Asia/Katmandu', 'America/Argentina/Ushuaia'])(
    'is %s',
    (text) => {
      expect(isTimeZone(text)).toBe(true);
    },
  );

  it.each(['', '+01:00', '-08', 'Europe/Atlantis', 'Europe/Zurich\u0000', '<b>'])(
    'is not %j',
    (text) => {
      expect(isTimeZone(text)).toBe(false);
    },
  );
});

describe('the spelling of a time zone', () => {
  it.each([
    ['europe/zurich', 'Europe/Zurich'],
    [' AMERICA/NEW_YORK ', 'America/New_York'],
    ['utc', 'UTC'],
    [' Mars/Olympus', 'Mars/Olympus'],
    ['', ''],
  ])('of %j is %j', (text, spelling) => {
    expect(canonicalTimeZone(text)).toBe(spelling);
  });
});
