import { DATE_FORMATS, DateTexts, DEFAULT_STYLE, isDateFormat } from './date-texts.js';

const AFTERNOON = new Date('2026-05-31T14:05:00Z');
const NIGHT = new Date('2026-05-31T22:30:00Z');
const DAY_ONLY = new Date('2026-05-31T00:00:00Z');

const inStyle = (timeZone: string | null, dateFormat: string | null): DateTexts =>
  new DateTexts('en-GB', { timeZone, dateFormat });

/** Replaces the narrow space that some formats have before AM and PM. */
const plain = (text: string): string => text.replaceAll('\u202f', ' ');

it.each([
  ['long', '31 May 2026 at 14:05', '31 May 2026'],
  ['long-us', 'May 31, 2026 at 2:05 PM', 'May 31, 2026'],
  ['iso', '2026-05-31 14:05', '2026-05-31'],
  ['slashes', '31/05/2026, 14:05', '31/05/2026'],
  ['slashes-us', '05/31/2026, 2:05 PM', '05/31/2026'],
  ['dots', '31.05.2026, 14:05', '31.05.2026'],
])('writes dates in the format %s', (format, time, day) => {
  const dates = inStyle('UTC', format);

  expect(plain(dates.time(AFTERNOON))).toBe(time);
  expect(dates.day(AFTERNOON)).toBe(day);
});

it('names UTC only if no time zone is chosen', () => {
  expect(new DateTexts('en-GB', DEFAULT_STYLE).time(NIGHT)).toBe('31 May 2026 at 22:30 UTC');
  expect(inStyle('Asia/Tokyo', null).time(NIGHT)).toBe('1 June 2026 at 07:30');
  expect(inStyle('Asia/Tokyo', null).day(NIGHT)).toBe('1 June 2026');
});

it('writes the day also in the format of ISO 8601, in the same time zone', () => {
  expect(inStyle('Asia/Tokyo', 'dots').isoDay(NIGHT)).toBe('2026-06-01');
  expect(inStyle('America/New_York', null).isoDay(NIGHT)).toBe('2026-05-31');
  expect(inStyle('America/New_York', null).isoDay(DAY_ONLY)).toBe('2026-05-31');
});

it('never moves a date without a time to another day', () => {
  expect(inStyle('America/New_York', null).day(DAY_ONLY)).toBe('31 May 2026');
});

it('ignores unknown time zones and formats', () => {
  expect(inStyle('Europe/Atlantis', 'constructor').time(NIGHT)).toBe('31 May 2026 at 22:30 UTC');
});

it('knows its formats', () => {
  expect(DATE_FORMATS[0]).toBe('long');
  expect(['', 'toString', '__proto__', 'ISO'].filter(isDateFormat)).toEqual([]);
});
