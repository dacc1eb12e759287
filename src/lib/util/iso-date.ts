/** Matches a day and a time, with or without a time zone. */
export const ISO_DATE_TIME = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d:?\d\d)?$/;

/** Matches a day, with or without a time. */
const ISO_DATE =
  /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)?\s?([Zz]|[+-]\d\d:?\d\d)?)?$/;

/**
 * Returns the unix seconds of an ISO 8601 date. A date without a time zone is in UTC. Fractions of a second are
 * dropped.
 * Returns NaN for any other text. `Date.parse` is not enough, because it accepts many other texts and uses the time
 * zone of the host.
 */
export function isoSeconds(text: string): number {
  const [, day, time = '00:00', zone = 'Z'] = ISO_DATE.exec(text) ?? [];
  return day === undefined
    ? NaN
    : Date.parse(`${day}T${time}${withColon(zone).toUpperCase()}`) / 1000;
}

const withColon = (zone: string): string => zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2');

/** The last second of the year 9999. The next year has five digits, which RFC 3339 cannot express. */
const LAST_SECOND = 253_402_300_799;

/** Returns the date for unix seconds. For a time before 1970 or after 9999, returns the nearest valid date. */
export const writableDate = (seconds: number): Date =>
  new Date(Math.min(Math.max(seconds, 0), LAST_SECOND) * 1000);
