import { secondsOfDate } from './dates.js';

const MICROSECONDS_PER_SECOND = 1e6;
/** The number of seconds from the beginning of 1601, when Chrome's timestamps begin, to the beginning of 1970. */
const SECONDS_SINCE_1601 = 11_644_473_600;

/** The day numbers of 1 January 1970, 2000 and 2100 in spreadsheets. Spreadsheets count the days from 1900. */
const [DAYS_UNTIL_1970, DAYS_UNTIL_2000, DAYS_UNTIL_2100] = [25_569, 36_526, 73_051];
const SECONDS_PER_DAY = 86_400;

/**
 * The possible units of a time, largest numbers first. The first unit whose `from` is not greater
 * than the number is used. In any other unit, the number would not be a plausible date.
 */
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
/** Matches a large number in scientific notation, which spreadsheets write, such as 1.700000001E9. */
const EXPONENTIAL = /^\d\.(?<decimals>\d{1,20})E\+?(?<exponent>\d{1,2})$/i;
/**
 * The maximum number of trailing digits that a spreadsheet may have rounded to zero, as in
 * 1.70000000E12. With four such digits, a time in milliseconds is wrong by less than 10 seconds.
 */
const MOST_ROUNDED_DIGITS = 4;
/**
 * Matches a date without separators, such as 20240503, with or without a time. Such a number is not
 * a count of seconds or days, because the count would mean an implausible date.
 */
const COMPACT_DATE = /^(?:19|20)\d{6}(?:\d{6})?$/;
/** Matches a placeholder such as 0001-01-01, which databases and .NET write for a missing date. */
const NO_DATE = /^000[01]-0[01]-0[01](?!\d)/;

/**
 * Returns the unix seconds of a time in an imported file. The time may be a date, a count of days from a spreadsheet,
 * or a count of seconds, milliseconds, microseconds or nanoseconds. Returns undefined for a missing time, which some
 * files write as zero. Returns NaN for an invalid time.
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
