/** Matches an ISO 8601 date with a time. The time zone is optional. */
export const ISO_DATE_TIME = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d:?\d\d)?$/;

/** Matches an ISO 8601 date. The time and the time zone are optional. */
const ISO_DATE =
  /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)?\s?([Zz]|[+-]\d\d:?\d\d)?)?$/;

/**
 * Returns the unix seconds of an ISO 8601 date. A date without a time zone is in UTC, and fractions of a second are
 * dropped. Returns NaN for any other text, unlike `Date.parse`, which accepts many texts and uses the time zone of the
 * host.
 */
export function isoSeconds(text: string): number {
  const [, day, time = '00:00', zone = 'Z'] = ISO_DATE.exec(text) ?? [];
  return day === undefined
    ? NaN
    : Date.parse(`${day}T${time}${withColon(zone).toUpperCase()}`) / 1000;
}

const withColon = (zone: string): string => zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2');

/** The last second of the year 9999. RFC 3339 cannot express later years, because they have five digits. */
const LAST_SECOND = 253_402_300_799;

/**
 * Returns the date of a time in unix seconds. Replaces a time before 1970 or after 9999 with the nearest valid time.
 */
export const writableDate = (seconds: number): Date =>
  new Date(Math.min(Math.max(seconds, 0), LAST_SECOND) * 1000);
