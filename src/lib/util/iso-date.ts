/** A day and a time, with or without a zone. */
export const ISO_DATE_TIME = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d:?\d\d)?$/;

/** A day besides. */
const ISO_DATE =
  /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)?\s?([Zz]|[+-]\d\d:?\d\d)?)?$/;

/**
 * Unix seconds of an ISO 8601 date, which is in UTC where it names no zone; a fraction is cut off. NaN for other
 * text: Date.parse alone takes much for a date, and goes by the zone of the host.
 */
export function isoSeconds(text: string): number {
  const [, day, time = '00:00', zone = 'Z'] = ISO_DATE.exec(text) ?? [];
  return day === undefined
    ? NaN
    : Date.parse(`${day}T${time}${withColon(zone).toUpperCase()}`) / 1000;
}

const withColon = (zone: string): string => zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2');

/** The end of the year 9999: later years have more digits, which RFC 3339 cannot write. */
const LAST_SECOND = 253_402_300_799;

/** The moment of unix seconds, from 1970 to the end of 9999: others become the nearest of these. */
export const writableDate = (seconds: number): Date =>
  new Date(Math.min(Math.max(seconds, 0), LAST_SECOND) * 1000);
