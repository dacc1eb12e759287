import { secondsOfDate } from './written-date.js';

const MICROSECONDS_PER_SECOND = 1e6;
/** Seconds between 1601, where Chrome's timestamps begin, and 1970. */
const SECONDS_SINCE_1601 = 11_644_473_600;

/** Dates in days since 1900, as spreadsheets count them. */
const [DAYS_UNTIL_1970, DAYS_UNTIL_2000, DAYS_UNTIL_2100] = [25_569, 36_526, 73_051];
const SECONDS_PER_DAY = 86_400;

/** The unit of a count, by its size. No plausible date is near a limit. */
const UNITS: readonly { readonly from: number; readonly seconds: (count: number) => number }[] = [
  { from: 1e18, seconds: (count) => count / 1e9 },
  { from: 1e16, seconds: (count) => count / MICROSECONDS_PER_SECOND - SECONDS_SINCE_1601 },
  { from: 1e14, seconds: (count) => count / MICROSECONDS_PER_SECOND },
  { from: 3e11, seconds: (count) => count / 1000 },
  { from: DAYS_UNTIL_2100, seconds: (count) => count },
  { from: DAYS_UNTIL_2000, seconds: (count) => (count - DAYS_UNTIL_1970) * SECONDS_PER_DAY },
  { from: 1, seconds: (count) => count },
];

const NUMBER = /^\d{1,20}(?:\.\d{1,20})?$/;
/** Spreadsheets write long numbers as 1.700000001E9. */
const EXPONENTIAL = /^\d\.(?<decimals>\d{1,20})E\+?(?<exponent>\d{1,2})$/i;
/** Number of digits that rounding may remove. The time is then off by less than 10,000 of its units. */
const MOST_ROUNDED_DIGITS = 4;
/** A date without separators, with or without a time. As a count, such a number is far from any plausible date. */
const COMPACT_DATE = /^(?:19|20)\d{6}(?:\d{6})?$/;
/** Databases and .NET write these for a missing date. */
const NO_DATE = /^000[01]-0[01]-0[01](?!\d)/;

/**
 * Returns the unix seconds of a time as files write it. A time is a date, a count of seconds, milliseconds or
 * microseconds (Chrome's since 1601), or a count of days from a spreadsheet.
 * Returns undefined for an empty text and for zero, which means never. Returns NaN for an invalid time.
 */
export function unixSeconds(text: string): number | undefined {
  const trimmed = text.trim();
  if (trimmed === '' || NO_DATE.test(trimmed)) {
    return undefined;
  }
  const seconds = Math.floor(
    isCount(trimmed) ? fromCount(Number(trimmed)) : secondsOfDate(trimmed),
  );
  return seconds === 0 ? undefined : seconds;
}

function isCount(text: string): boolean {
  if (NUMBER.test(text)) {
    return !COMPACT_DATE.test(text);
  }
  const { decimals = '', exponent = '' } = EXPONENTIAL.exec(text)?.groups ?? {};
  return decimals !== '' && Number(exponent) - decimals.length <= MOST_ROUNDED_DIGITS;
}

const fromCount = (count: number): number =>
  UNITS.find(({ from }) => count >= from)?.seconds(count) ?? 0;
