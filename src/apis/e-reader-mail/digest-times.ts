import { isTimeZone } from '../../lib/util/time-zone.js';

/** The weekdays and the local time of day at which a user gets a digest of articles. */
export interface DigestTimes {
  /** The name of an IANA time zone, such as Europe/Zurich. */
  readonly timeZone: string;
  readonly minuteOfDay: number;
  /** The weekdays of the digest: 1 is Monday, 7 is Sunday (ISO 8601). */
  readonly weekdays: readonly number[];
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/**
 * The number of days to search for the next digest: today, the next seven days, and one more day, because a time zone
 * can skip a date.
 */
const DAYS_AHEAD = 9;

/**
 * Returns the first time after `after` at which a digest is due. Returns undefined if no weekday is chosen. If the
 * clock skips the local time of the digest, the digest is later by the skipped duration. If the clock shows this local
 * time twice, the digest is due the first time (RFC 5545 section 3.3.5).
 */
export function nextDigestAt(
  { timeZone, minuteOfDay, weekdays }: DigestTimes,
  after: Date,
): Date | undefined {
  const clock = new ZoneClock(timeZone);
  const afterMs = after.getTime();
  const today = Math.floor((afterMs + clock.offsetMs(afterMs)) / DAY_MS) * DAY_MS;
  const times = Array.from({ length: DAYS_AHEAD }, (_, days) => today + days * DAY_MS)
    .filter((day) => weekdays.includes(isoWeekday(day)))
    .map((day) => clock.momentMs(day + minuteOfDay * MINUTE_MS))
    .filter((ms) => ms > afterMs);
  return times[0] === undefined ? undefined : new Date(times[0]);
}

/** Returns the date in the time zone as YYYY-MM-DD. */
export function dayIn(timeZone: string, at: Date): string {
  const ms = at.getTime();
  return new Date(ms + new ZoneClock(timeZone).offsetMs(ms)).toISOString().slice(0, DATE_LENGTH);
}

const DATE_LENGTH = 'YYYY-MM-DD'.length;

const SUNDAY = 7;

const isoWeekday = (dayMs: number): number => new Date(dayMs).getUTCDay() || SUNDAY;

/**
 * Converts between UTC and the local time of a time zone. Treats an unknown time zone as UTC. A
 * local time is stored as the Unix time in milliseconds at which a UTC clock shows the same date
 * and time.
 */
class ZoneClock {
  private readonly format: Intl.DateTimeFormat;

  constructor(timeZone: string) {
    this.format = new Intl.DateTimeFormat('en-US', {
      timeZone: isTimeZone(timeZone) ? timeZone : 'UTC',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  }

  /**
   * Returns the difference between local time and UTC at a moment, in milliseconds. The difference is positive if local
   * time is ahead of UTC.
   */
  offsetMs(momentMs: number): number {
    const parts = new Map(
      this.format.formatToParts(momentMs).map(({ type, value }) => [type, Number(value)]),
    );
    const [year = 0, month = 0, ...others] = PARTS.map((part) => parts.get(part) ?? 0);
    const [day, hour, minute, second] = others;
    const shownMs = Date.UTC(year, month - 1, day, hour, minute, second);
    return shownMs - Math.floor(momentMs / 1000) * 1000;
  }

  /**
   * Returns the first moment at which the clock shows a local time. If the clock skips the local time, converts it with
   * the UTC offset from before the clock change.
   */
  momentMs(shownMs: number): number {
    const [before, after] = [this.offsetMs(shownMs - DAY_MS), this.offsetMs(shownMs + DAY_MS)];
    const isShown = (offset: number): boolean => this.offsetMs(shownMs - offset) === offset;
    return shownMs - (isShown(before) || !isShown(after) ? before : after);
  }
}

const PARTS = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const;
