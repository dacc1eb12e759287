import { writableDate } from '../../../lib/util/iso-date.js';
import { formatWallabagDate } from '../wire/wallabag-answers.js';

/** A date of the wallabag API, from unix seconds. */
export const formatSeconds = (seconds: string | number): string =>
  formatWallabagDate(writableDate(Number(seconds)));

/** Null for a time that is not known, "0". */
export const dateOrNull = (seconds: string): string | null =>
  seconds === '0' ? null : formatSeconds(seconds);
