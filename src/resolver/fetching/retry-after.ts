/** Nobody is made to wait longer, whatever was asked for. */
const MAX_SECONDS = 86_400;

/** The value of a Retry-After header, which is a number of seconds or an HTTP date; undefined when it is neither. */
export function retryAfterSeconds(value: string | undefined, nowMs: number): number | undefined {
  const text = value?.trim() ?? '';
  const seconds = /^\d+$/.test(text) ? Number(text) : (httpDateMs(text) - nowMs) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(Math.ceil(seconds), 0), MAX_SECONDS);
}

/** Date.parse alone would take "1.5" and "Monday 3" for dates. */
const httpDateMs = (text: string): number =>
  /^[a-z]{3,9},? .*\d\d:\d\d:\d\d/i.test(text) ? Date.parse(text) : NaN;
