import { writableDate } from '../../../lib/util/iso-date.js';
import { formatWallabagDate } from '../wire/wallabag-answers.js';

/** Formats Unix seconds as a date of the wallabag API. */
export const formatSeconds = (seconds: string | number): string =>
  formatWallabagDate(writableDate(Number(seconds)));

/** Formats Unix seconds as a date of the wallabag API. Returns null for "0", which means an unknown time. */
export const dateOrNull = (seconds: string): string | null =>
  seconds === '0' ? null : formatSeconds(seconds);
