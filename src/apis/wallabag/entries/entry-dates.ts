import { writableDate } from '../../../lib/util/iso-date.js';
import { formatWallabagDate } from '../wire/wallabag-answers.js';

/** Formats unix seconds as a date of the wallabag API. */
export const formatSeconds = (seconds: string | number): string =>
  formatWallabagDate(writableDate(Number(seconds)));

/** Formats unix seconds as a date. Returns null for an unknown time, which is "0". */
export const dateOrNull = (seconds: string): string | null =>
  seconds === '0' ? null : formatSeconds(seconds);
