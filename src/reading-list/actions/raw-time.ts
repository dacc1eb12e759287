/** Shorter are seconds: in milliseconds they would lie before September 2001. */
const MILLISECONDS_FROM = 1e12;
const DIGITS = /^\d{1,19}$/;

/** Unix seconds from seconds or milliseconds, as a number or its digits; undefined for anything else. */
export function parseTime(value: unknown): number | undefined {
  const time = typeof value === 'string' && DIGITS.test(value) ? Number(value) : value;
  if (typeof time !== 'number' || !Number.isInteger(time) || time < 0) {
    return undefined;
  }
  return time < MILLISECONDS_FROM ? time : Math.floor(time / 1000);
}
