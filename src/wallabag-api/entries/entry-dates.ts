import { formatWallabagDate } from '../wire/wallabag-answers.js';

/** The end of the year 9999: later years have more digits. */
const LAST_SECOND = 253_402_300_799;
const MS = 1000;

/** A date of the wallabag API, from unix seconds. */
export const formatSeconds = (seconds: string | number): string =>
  formatWallabagDate(new Date(Math.min(Math.max(Number(seconds), 0), LAST_SECOND) * MS));

/** Null for a time that is not known, "0". */
export const dateOrNull = (seconds: string): string | null =>
  seconds === '0' ? null : formatSeconds(seconds);
