import { isTimeZone } from '../../lib/util/time-zone.js';

interface DateFormat {
  /** The locale of the format. Undefined for the locale of the texts around the date. */
  readonly locale?: string;
  readonly day: Intl.DateTimeFormatOptions;
  readonly time: Intl.DateTimeFormatOptions;
}

const LONG = { day: 'numeric', month: 'long', year: 'numeric' } as const;
const DIGITS = { day: '2-digit', month: '2-digit', year: 'numeric' } as const;
const CLOCK = { hour: '2-digit', minute: '2-digit' } as const;
/** The 12-hour clock of the United States, such as 2:05 PM. */
const AM_PM = { hour: 'numeric', minute: '2-digit' } as const;

/** The date formats that a user can choose, with the name under which they are stored. The first one is the default. */
const FORMATS = {
  long: { day: LONG, time: CLOCK },
  'long-us': { locale: 'en-US', day: LONG, time: AM_PM },
  iso: { locale: 'sv-SE', day: DIGITS, time: CLOCK },
  slashes: { locale: 'en-GB', day: DIGITS, time: CLOCK },
  'slashes-us': { locale: 'en-US', day: DIGITS, time: AM_PM },
  dots: { locale: 'de-DE', day: DIGITS, time: CLOCK },
} as const satisfies Record<string, DateFormat>;

type DateFormatName = keyof typeof FORMATS;

export const isDateFormat = (name: string): name is DateFormatName => Object.hasOwn(FORMATS, name);

export const DATE_FORMATS: readonly DateFormatName[] = Object.keys(FORMATS).filter(isDateFormat);

/** The time zone and the date format of a user. Null for the default. */
export interface DateStyle {
  readonly timeZone: string | null;
  readonly dateFormat: string | null;
}

export const DEFAULT_STYLE: DateStyle = { timeZone: null, dateFormat: null };

const UTC = 'UTC';
/** The time zone of users who have not chosen one. They must see that the times are in UTC. */
const NAMED_UTC = { timeZone: UTC, timeZoneName: 'short' } as const;
const DAY_MS = 24 * 60 * 60 * 1000;
const ISO_DAY_LENGTH = 'yyyy-mm-dd'.length;

/** Pages that name only the day of their publication are stored with the time 00:00 UTC. */
const hasTime = (date: Date): boolean => date.getTime() % DAY_MS !== 0;

/** Writes dates in the time zone and the date format of a user. */
export class DateTexts {
  private readonly days: Intl.DateTimeFormat;
  private readonly daysInUtc: Intl.DateTimeFormat;
  private readonly isoDays: Intl.DateTimeFormat;
  private readonly times: Intl.DateTimeFormat;

  /** Ignores a time zone or a format that this installation does not know. `locale` is the locale of the texts. */
  constructor(
    private readonly locale: string,
    { timeZone, dateFormat }: DateStyle,
  ) {
    const name = dateFormat !== null && isDateFormat(dateFormat) ? dateFormat : 'long';
    const { locale: own = locale, day, time }: DateFormat = FORMATS[name];
    const zone = timeZone !== null && isTimeZone(timeZone) ? timeZone : undefined;
    this.days = new Intl.DateTimeFormat(own, { ...day, timeZone: zone ?? UTC });
    this.daysInUtc = new Intl.DateTimeFormat(own, { ...day, timeZone: UTC });
    const { timeZone: zoneOfDays } = this.days.resolvedOptions();
    this.isoDays = new Intl.DateTimeFormat('sv-SE', { ...DIGITS, timeZone: zoneOfDays });
    this.times = new Intl.DateTimeFormat(own, {
      ...day,
      ...time,
      ...(zone === undefined ? NAMED_UTC : { timeZone: zone }),
    });
  }

  /** Returns a date such as `3 May 2026 at 14:05 UTC`. */
  time(date: Date): string {
    return this.times.format(date);
  }

  /** Returns a date such as `3 May 2026`. */
  day(date: Date): string {
    return (hasTime(date) ? this.days : this.daysInUtc).format(date);
  }

  /** Returns the day of `day` in the format of ISO 8601, such as `2026-05-03`. */
  isoDay(date: Date): string {
    return hasTime(date) ? this.isoDays.format(date) : date.toISOString().slice(0, ISO_DAY_LENGTH);
  }

  /** Returns a date such as `Sunday 3 May at 16:05 CEST`. */
  zoned(date: Date, timeZone: string): string {
    const { day, month } = LONG;
    const format = { weekday: 'long', day, month, ...CLOCK, timeZoneName: 'short' } as const;
    return new Intl.DateTimeFormat(this.locale, { ...format, timeZone }).format(date);
  }
}
