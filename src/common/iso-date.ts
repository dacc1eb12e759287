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
