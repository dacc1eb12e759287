import { isoSeconds } from '../../common/iso-date.js';

const MICROSECONDS_PER_SECOND = 1e6;
/** Between 1601, where Chrome begins to count, and 1970. */
const SECONDS_SINCE_1601 = 11_644_473_600;

/** From which number on a count has how many units a second; no date of interest is near the borders. */
const UNITS: readonly { readonly from: number; readonly seconds: (count: number) => number }[] = [
  { from: 1e18, seconds: (count) => count / 1e9 },
  { from: 1e16, seconds: (count) => count / MICROSECONDS_PER_SECOND - SECONDS_SINCE_1601 },
  { from: 1e14, seconds: (count) => count / MICROSECONDS_PER_SECOND },
  { from: 3e11, seconds: (count) => count / 1000 },
  { from: 1, seconds: (count) => count },
];

const NUMBER = /^\d{1,20}(?:\.\d{1,20})?$/;
/** What databases and .NET write where there is no date. */
const NO_DATE = /^000[01]-0[01]-0[01](?!\d)/;

/**
 * Unix seconds of a time as files write it: seconds, milliseconds, microseconds (also Chrome's, since 1601), or an
 * ISO date, which is in UTC where it names no zone. Undefined where none is told, also for zero, which means never;
 * NaN for what is no time.
 */
export function unixSeconds(text: string): number | undefined {
  const trimmed = text.trim();
  if (trimmed === '' || NO_DATE.test(trimmed)) {
    return undefined;
  }
  const seconds = NUMBER.test(trimmed) ? fromCount(Number(trimmed)) : isoSeconds(trimmed);
  return Math.floor(seconds) === 0 ? undefined : Math.floor(seconds);
}

const fromCount = (count: number): number =>
  UNITS.find(({ from }) => count >= from)?.seconds(count) ?? 0;
