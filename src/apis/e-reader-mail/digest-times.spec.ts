import { dayIn, type DigestTimes, nextDigestAt } from './digest-times.js';

const DAILY = [1, 2, 3, 4, 5, 6, 7];
const at = (time: string, timeZone: string, weekdays: readonly number[] = DAILY): DigestTimes => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return { timeZone, minuteOfDay: 60 * hours + minutes, weekdays };
};

/** Returns the next `count` digest times after a moment, in UTC to the minute. */
function following(times: DigestTimes, after: string, count: number): string[] {
  const found: string[] = [];
  for (let from: Date | undefined = new Date(after); found.length < count;) {
    from = nextDigestAt(times, from);
    if (from === undefined) {
      break;
    }
    found.push(from.toISOString().slice(0, 16));
  }
  return found;
}

describe('the time of the next digest', () => {
  it.each([
    ['the same day', '2026-01-15T05:59:59Z', '2026-01-15T06:00'],
    ['the next day at that very moment', '2026-01-15T06:00:00Z', '2026-01-16T06:00'],
    ['the next day after it', '2026-01-15T06:00:01Z', '2026-01-16T06:00'],
    ['the day of the time zone, not of UTC', '2026-01-15T23:30:00Z', '2026-01-16T06:00'],
  ])('is on %s', (_, after, next) => {
    expect(following(at('07:00', 'Europe/Zurich'), after, 1)).toEqual([next]);
  });

  it('keeps to the clock where summer begins and ends', () => {
    const times = at('07:00', 'Europe/Zurich');

    expect(following(times, '2026-03-28T00:00Z', 3)).toEqual([
      '2026-03-28T06:00',
      '2026-03-29T05:00',
      '2026-03-30T05:00',
    ]);
    expect(following(times, '2026-10-24T00:00Z', 3)).toEqual([
      '2026-10-24T05:00',
      '2026-10-25T06:00',
      '2026-10-26T06:00',
    ]);
  });

  it('moves on where the clock skips it', () => {
    // On 29 March 2026, the clock in Zurich skips 02:30, so the digest is due at 03:30 summer time.
    expect(following(at('02:30', 'Europe/Zurich'), '2026-03-28T12:00Z', 2)).toEqual([
      '2026-03-29T01:30',
      '2026-03-30T00:30',
    ]);
    // On 4 November 2018, the clock in São Paulo skips midnight, so the digest is due at 01:00.
    expect(following(at('00:00', 'America/Sao_Paulo'), '2018-11-03T12:00Z', 2)).toEqual([
      '2018-11-04T03:00',
      '2018-11-05T02:00',
    ]);
  });

  it('comes once where the clock shows it twice, the first time', () => {
    expect(following(at('02:30', 'Europe/Zurich'), '2026-10-24T12:00Z', 2)).toEqual([
      '2026-10-25T00:30',
      '2026-10-26T01:30',
    ]);
    // Summer time in São Paulo ends at midnight, so 23:30 on 17 February 2018 occurs twice.
    expect(following(at('23:30', 'America/Sao_Paulo'), '2018-02-17T12:00Z', 2)).toEqual([
      '2018-02-18T01:30',
      '2018-02-19T02:30',
    ]);
  });

  it('is where the clock is not a whole hour off, and where summer time was given up', () => {
    expect(following(at('06:15', 'Asia/Kathmandu'), '2026-06-30T12:00Z', 2)).toEqual([
      '2026-07-01T00:30',
      '2026-07-02T00:30',
    ]);
    expect(following(at('07:00', 'America/Sao_Paulo'), '2026-11-01T12:00Z', 1)).toEqual([
      '2026-11-02T10:00',
    ]);
  });

  it('passes over a day that a time zone leaves out', () => {
    // Apia skipped 30 December 2011, so the digest of that day is due on the 31st, and only once.
    expect(following(at('08:00', 'Pacific/Apia'), '2011-12-29T00:00Z', 3)).toEqual([
      '2011-12-29T18:00',
      '2011-12-30T18:00',
      '2011-12-31T18:00',
    ]);
    expect(following(at('08:00', 'Pacific/Apia', [5]), '2011-12-29T00:00Z', 2)).toEqual([
      '2011-12-30T18:00',
      '2012-01-05T18:00',
    ]);
  });

  it('keeps to the days of the week', () => {
    const times = at('23:30', 'America/Sao_Paulo', [1, 7]);

    // 23:30 in São Paulo on Sunday 4 and Monday 5 January is Monday and Tuesday in UTC.
    expect(following(times, '2026-01-01T00:00Z', 3)).toEqual([
      '2026-01-05T02:30',
      '2026-01-06T02:30',
      '2026-01-12T02:30',
    ]);
    expect(following(at('07:00', 'Europe/Zurich', [4]), '2026-01-15T06:00Z', 1)).toEqual([
      '2026-01-22T06:00',
    ]);
    expect(nextDigestAt(at('07:00', 'Europe/Zurich', []), new Date())).toBeUndefined();
  });

  it('keeps to UTC in a time zone that the runtime knows no more', () => {
    expect(following(at('07:00', 'Europe/Atlantis'), '2026-01-01T00:00Z', 1)).toEqual([
      '2026-01-01T07:00',
    ]);
  });
});

describe('a time zone', () => {
  it('has a date of its own', () => {
    expect(dayIn('Pacific/Apia', new Date('2026-01-15T12:00Z'))).toBe('2026-01-16');
    expect(dayIn('America/Sao_Paulo', new Date('2026-01-15T02:59Z'))).toBe('2026-01-14');
  });
});
