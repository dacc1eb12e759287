/**
 * A date on a page. `day` is the calendar day that the page states, as YYYY-MM-DD, and `at` is the exact time. If the
 * page states no time, `at` is midnight in UTC.
 */
export interface PageDate {
  readonly day: string;
  readonly at: Date;
}

/** The properties of a page that are needed to parse its dates. */
export interface DateHabit {
  /** True if dates on the page begin with the month: 3/4/2020 is then 4 March. */
  readonly monthFirst: boolean;
  /**
   * The language of the page as a code of two letters. The language is needed because the same word can be the name of
   * different months in different languages.
   */
  readonly language?: string;
  /** The latest day that is accepted as a publication date, as YYYY-MM-DD. */
  readonly latestDay?: string;
}

const ISO =
  /(?<![\d.])((?:19|20)\d\d)-(\d{1,2})-(\d{1,2})(?:[T\s]+(\d\d):(\d\d)(?::(\d\d))?(?:\.\d+)?\s*(Z|[+-]\d\d:?\d\d)?)?/gu;
const COMPACT = /^((?:19|20)\d\d)(\d\d)(\d\d)(?:T?\d{4,6}Z?)?$/u;
const EPOCH = /^(\d{10})(?:\d{3})?$/u;
const YEAR_FIRST = /(?<!\d)((?:19|20)\d\d)\s?[./年년-]\s?(\d{1,2})\s?[./月월-]\s?(\d{1,2})(?!\d)/gu;
const YEAR_MONTH =
  /(?<!\d)((?:19|20)\d\d)(?:\. |, |[ -])([\p{L}\p{M}]{2,12})(?:\. |[ -])(\d{1,2})(?!\d)/giu;
/**
 * Matches a date that begins with the year, such as "2024, 12 May". Does not match if another year follows the month:
 * in "© 2024 12 May 2025", the year of 12 May is 2025.
 */
const YEAR_DAY =
  /(?<!\d)((?:19|20)\d\d)[ ,]{1,2}(\d{1,2})\.? ([\p{L}\p{M}]{2,12})(?![\p{L}\p{M}])(?!\.?,? (?:19|20)\d\d)/giu;
const YEAR_LAST = /(?<![\d./])(\d{1,2})([./-])\s?(\d{1,2})[./-]\s?((?:19|20)?\d\d)(?![\d/.]\d)/gu;
const DAY_MONTH =
  /(?<!\d)(\d{1,2})(?:st|nd|rd|th|º|ª|er|\.)?[\s/-]+(?:de |of |d['’])?([\p{L}\p{M}]{2,12})\.?,?[\s/-]+(?:de |del )?((?:19|20)\d\d)(?!\d)/giu;
const VIETNAMESE = /(?<!\d)(\d{1,2}) tháng (\d{1,2}),? (?:năm )?((?:19|20)\d\d)(?!\d)/giu;
/** Matches a date on a Thai page, whose year is counted in the Buddhist era. */
const BUDDHIST = /(?<!\d)(\d{1,2}) ([\p{Script=Thai}.]{3,12}) (?:พ\.ศ\. ?)?(25\d\d)(?!\d)/gu;
const BEFORE_BUDDHIST = 543;
const ERA = /(令和|平成)\s?(\d{1,2}|元)年\s?(\d{1,2})月\s?(\d{1,2})日/gu;
/** Matches a date in the format of the C library, in which a time is before the year: "Tue Mar 12 09:15:02 CET 2024". */
const CTIME =
  /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) {1,2}([A-Z][a-z]{2}) {1,2}(\d{1,2}) {1,2}\d\d:\d\d:\d\d (?:[A-Z]{2,5} |[+-]\d{4} )?(\d{4})\b/gu;
const MONTH_DAY =
  /([\p{L}\p{M}]{2,12})\.?\s+(\d{1,2})(?:st|nd|rd|th)?(?:,\s*|\s+)((?:19|20)\d\d)(?!\d)/giu;

const EVENT =
  /^(?:founded|established|born|died|opened|gegründet|geboren|gestorben|eröffnet|fond[ée]e?|née?|morte?|fundad[oa]|nacid[oa]|fondat[oa]|nat[oa])(?:(?: on| am| le| el| il)?\s?:?$|\s?:)/iu;

/**
 * Returns true if the words before a date show that the date belongs to an event, such as "founded", and not to the
 * publication.
 */
export const leadsToEvent = (line: string): boolean => EVENT.test(line.trim());

/**
 * Returns the first date in a text. Supports the date notations of many languages. Returns undefined if the text
 * contains no date.
 */
export function dateIn(text: string, habit: DateHabit): PageDate | undefined {
  const line = withPlainDigits(text.trim().slice(0, 2_000));
  return (
    past(moment(line), habit) ?? past(numeric(line), habit) ?? past(earliest(line, habit), habit)
  );
}

const past = (date: PageDate | undefined, { latestDay }: DateHabit): PageDate | undefined =>
  date !== undefined && (latestDay === undefined || date.day <= latestDay) ? date : undefined;

const DIGITS = /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\u0e50-\u0e59\uff10-\uff19]/gu;
/** The code points of the digit zero in Arabic, Persian, Devanagari, Bengali, Thai and full-width digits. */
const ZEROS = [0x06_60, 0x06_f0, 0x09_66, 0x09_e6, 0x0e_50, 0xff_10];

const withPlainDigits = (text: string): string =>
  text.replace(DIGITS, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    return String(code - (ZEROS.findLast((zero) => zero <= code) ?? code));
  });

/** Parses a date in a machine-readable form, such as 2024-05-03T10:00Z. */
function moment(line: string): PageDate | undefined {
  return reading(line, ISO, ([, year, month, day, ...clock]) => {
    const date = dated(year, month, day);
    return date && timed(date, clock);
  })?.date;
}

function timed(date: PageDate, clock: readonly (string | undefined)[]): PageDate {
  const [hour, minute, second, zone] = clock;
  const at = new Date(
    `${date.day}T${hour ?? 'x'}:${minute ?? 'x'}:${second ?? '00'}${zone ?? 'Z'}`,
  );
  return Number.isNaN(at.getTime()) ? date : { day: date.day, at };
}

function numeric(line: string): PageDate | undefined {
  const compact = COMPACT.exec(line);
  if (compact) {
    return dated(compact[1], compact[2], compact[3]);
  }
  const epoch = EPOCH.exec(line)?.[1];
  const at = new Date(Number(epoch) * 1000);
  return epoch === undefined ? undefined : { day: at.toISOString().slice(0, 10), at };
}

interface Reading {
  readonly index: number;
  readonly date: PageDate;
}

function earliest(line: string, habit: DateHabit): PageDate | undefined {
  const named = (year: Digits, month: string | undefined, day: Digits): PageDate | undefined =>
    dated(year, monthOf(month, habit.language), day);
  const readings = [
    reading(line, YEAR_FIRST, ([, year, month, day]) => dated(year, month, day)),
    reading(line, YEAR_MONTH, ([, year, month, day]) => named(year, month, day)),
    reading(line, YEAR_DAY, ([, year, day, month]) => named(year, month, day)),
    reading(line, DAY_MONTH, ([, day, month, year]) => named(year, month, day)),
    reading(line, MONTH_DAY, ([, month, day, year]) => named(year, month, day)),
    reading(line, CTIME, ([, month, day, year]) => named(year, month, day)),
    reading(line, VIETNAMESE, ([, day, month, year]) => dated(year, month, day)),
    reading(line, BUDDHIST, ([, day, month, year]) =>
      named(Number(year) - BEFORE_BUDDHIST, month, day),
    ),
    reading(line, ERA, ([, name, year, month, day]) => dated(inEra(name, year), month, day)),
    reading(line, YEAR_LAST, (found) => slashed(found, habit)),
  ];
  return readings.filter((one) => one !== undefined).sort((a, b) => a.index - b.index)[0]?.date;
}

/**
 * Returns the first valid date that a pattern matches in a line. Skips invalid matches: in "Issue 12 Spring 2024 · 3
 * May 2024", the match "12 Spring 2024" is not a date.
 */
function reading(
  line: string,
  pattern: RegExp,
  read: (found: RegExpExecArray) => PageDate | undefined,
): Reading | undefined {
  for (const found of line.matchAll(pattern)) {
    const date = read(found);
    if (date) {
      return { index: found.index, date };
    }
  }
  return undefined;
}

/**
 * Parses a date such as 3/4/2020 in the usual order of day and month on the page. If the result is not a valid date,
 * parses the date with day and month swapped.
 */
function slashed(found: RegExpExecArray, habit: DateHabit): PageDate | undefined {
  const [, first, separator, second, year] = found;
  const isShort = year?.length === 2;
  if (isShort && !isDate(found)) {
    return undefined;
  }
  const full = isShort ? `20${year}` : year;
  const [american, other] = [dated(full, first, second), dated(full, second, first)];
  const [usual, unusual] =
    separator === '/' && habit.monthFirst ? [american, other] : [other, american];
  return past(usual, habit) ?? past(unusual, habit);
}

/**
 * Returns true if a text is a date with a short year, such as 03.05.24, instead of a version number
 * such as 4.2.11. Day and month must have two digits each. With fewer digits, the date must be the
 * whole line, or follow a comma or a bar at the end of the line. A time may follow the date.
 */
const isDate = ({ 0: written, 1: first, 3: second, index, input }: RegExpExecArray): boolean =>
  (first?.length === 2 && second?.length === 2) ||
  (/(?:^|[,|·•] ?)$/u.test(input.slice(0, index)) &&
    /^(?:$|[\s,]+\d{1,2}[:.]\d\d)/u.test(input.slice(index + written.length)));

type Digits = string | number | undefined;

/** Returns the date with a year, month and day. Returns undefined if this day does not exist. */
function dated(year: Digits, month: Digits, day: Digits): PageDate | undefined {
  const [y, m, d] = [Number(year), Number(month), Number(day)];
  const at = new Date(Date.UTC(y, m - 1, d));
  const exists = at.getUTCFullYear() === y && at.getUTCMonth() === m - 1 && at.getUTCDate() === d;
  return exists && y >= 1990 && y < 2100 ? { day: at.toISOString().slice(0, 10), at } : undefined;
}

/** For each Japanese era, the Gregorian year before its first year. */
const ERAS: Readonly<Record<string, number>> = { 令和: 2018, 平成: 1988 };

/**
 * Converts the year of a Japanese era to a Gregorian year. The first year of an era can be written
 * as 元.
 */
const inEra = (name = '', year = ''): number =>
  (ERAS[name] ?? 0) + (year === '元' ? 1 : Number(year));

/**
 * The languages whose month names are recognised. The month names come from the library ICU. If two languages share a
 * month name, the first language in this list wins.
 */
const LOCALES =
  'en de fr es it pt nl pl cs sk sl hr hu ro sv da nb fi et lv lt ru uk bg el tr id ms ca ar he sr bs mk be sq gl eu is de-AT es-PE hi mr bn th-u-ca-gregory fa-u-ca-gregory'.split(
    ' ',
  );
const STYLES = ['long', 'short'] as const;

const FIRSTS = Array.from({ length: 12 }, (_, index) => new Date(Date.UTC(2020, index, 1)));

type Months = ReadonlyMap<string, number>;
const monthsIn = new Map<string, Months>();

/**
 * Returns the number of the month with this name. Searches the month names of the page's language first, and then those
 * of all known languages. Returns 0 if the text is not the name of a month.
 */
function monthOf(name = '', language = ''): number {
  const own = LOCALES.includes(language) ? [language] : [];
  const word = folded(name);
  for (const locale of [...own, ...LOCALES]) {
    const months = monthsIn.get(locale) ?? new Map(namesIn(locale));
    monthsIn.set(locale, months);
    const month = months.get(word);
    if (month !== undefined) {
      return month;
    }
  }
  return 0;
}

/**
 * Returns the names of all months in a language. Includes the inflected names that some languages use within a date.
 */
const namesIn = (locale: string): [string, number][] =>
  STYLES.flatMap((month) =>
    [{ month }, { month, day: 'numeric' as const }].flatMap((options) =>
      monthsBy(new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })),
    ),
  );

const monthsBy = (format: Intl.DateTimeFormat): [string, number][] =>
  FIRSTS.map((first, index) => {
    const parts = format.formatToParts(first);
    return [folded(parts.find(({ type }) => type === 'month')?.value ?? ''), index + 1];
  });

/**
 * Returns a month name in a uniform spelling, so that different spellings of the name are equal. In Hindi, several
 * letters and marks can be written in two ways.
 */
const folded = (name: string): string =>
  name
    .toLowerCase()
    .normalize('NFD')
    .replace(/[.\u093c]/gu, '')
    .replace(/म्(?=[पबभ])/gu, 'ं');
