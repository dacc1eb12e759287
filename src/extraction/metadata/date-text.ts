/** A day as a page writes it, and the moment when it says so. */
export interface PageDate {
  readonly day: string;
  readonly at: Date;
}

/** How a page that writes 3/4/2020 means it. */
export interface DateHabit {
  readonly monthFirst: boolean;
}

const ISO =
  /(?<![\d.])((?:19|20)\d\d)-(\d{1,2})-(\d{1,2})(?:[T\s]+(\d\d):(\d\d)(?::(\d\d))?(?:\.\d+)?\s*(Z|[+-]\d\d:?\d\d)?)?/u;
const COMPACT = /^((?:19|20)\d\d)(\d\d)(\d\d)(?:T?\d{4,6}Z?)?$/u;
const EPOCH = /^(\d{10})(?:\d{3})?$/u;
const YEAR_FIRST = /(?<!\d)((?:19|20)\d\d)\s?[./年년-]\s?(\d{1,2})\s?[./月월-]\s?(\d{1,2})(?!\d)/u;
const YEAR_MONTH =
  /(?<!\d)((?:19|20)\d\d)(?:\. |, |[ -])(\p{L}{3,12})(?:\. |[ -])(\d{1,2})(?!\d)/iu;
const YEAR_LAST = /(?<![\d./])(\d{1,2})([./-])\s?(\d{1,2})[./-]\s?((?:19|20)?\d\d)(?![\d/.]\d)/u;
const DAY_MONTH =
  /(?<!\d)(\d{1,2})(?:st|nd|rd|th|º|ª|er|\.)?[\s-]+(?:de |of )?(\p{L}{3,12})\.?,?[\s-]+(?:de |del )?((?:19|20)\d\d)(?!\d)/iu;
const MONTH_DAY = /(\p{L}{3,12})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+((?:19|20)\d\d)(?!\d)/iu;

/** The first date in a text, in the spellings of many languages; undefined when there is none. */
export function dateIn(text: string, habit: DateHabit): PageDate | undefined {
  const line = text.trim().slice(0, 2_000);
  return moment(line) ?? numeric(line) ?? earliest(line, habit);
}

/** Dates that are written for machines. */
function moment(line: string): PageDate | undefined {
  const found = ISO.exec(line);
  const date = found ? dated(found[1], found[2], found[3]) : undefined;
  return found && date ? timed(date, found.slice(4)) : undefined;
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
  const readings = [
    reading(YEAR_FIRST.exec(line), ([, year, month, day]) => dated(year, month, day)),
    reading(YEAR_MONTH.exec(line), ([, year, month, day]) => dated(year, monthOf(month), day)),
    reading(DAY_MONTH.exec(line), ([, day, month, year]) => dated(year, monthOf(month), day)),
    reading(MONTH_DAY.exec(line), ([, month, day, year]) => dated(year, monthOf(month), day)),
    reading(YEAR_LAST.exec(line), (found) => slashed(found, habit)),
  ];
  return readings.filter((one) => one !== undefined).sort((a, b) => a.index - b.index)[0]?.date;
}

function reading(
  found: RegExpExecArray | null,
  read: (found: readonly (string | undefined)[]) => PageDate | undefined,
): Reading | undefined {
  const date = found ? read(found) : undefined;
  return found && date ? { index: found.index, date } : undefined;
}

function slashed(found: readonly (string | undefined)[], habit: DateHabit): PageDate | undefined {
  const [, first, separator, second, year] = found;
  const full = year?.length === 2 ? `20${year}` : year;
  const american = separator === '/' && habit.monthFirst;
  return american
    ? (dated(full, first, second) ?? dated(full, second, first))
    : (dated(full, second, first) ?? dated(full, first, second));
}

type Digits = string | number | undefined;

/** A day that there was. */
function dated(year: Digits, month: Digits, day: Digits): PageDate | undefined {
  const [y, m, d] = [Number(year), Number(month), Number(day)];
  const at = new Date(Date.UTC(y, m - 1, d));
  const exists = at.getUTCFullYear() === y && at.getUTCMonth() === m - 1 && at.getUTCDate() === d;
  return exists && y >= 1990 && y < 2100 ? { day: at.toISOString().slice(0, 10), at } : undefined;
}

/** The languages whose names of months are known; ICU has them. */
const LOCALES =
  'en de fr es it pt nl pl cs sk sl hr hu ro sv da nb fi et lv lt ru uk bg el tr id ms ca'.split(
    ' ',
  );
const STYLES = ['long', 'short'] as const;

const FIRSTS = Array.from({ length: 12 }, (_, index) => new Date(Date.UTC(2020, index, 1)));

let months: ReadonlyMap<string, number> | undefined;

/** The number of a month by its name in one of the languages, 0 for any other word. */
function monthOf(name: string | undefined): number {
  months ??= new Map(LOCALES.flatMap(namesIn));
  return name === undefined ? 0 : (months.get(folded(name)) ?? 0);
}

/** Alone and within a date: some languages decline them. */
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

const folded = (name: string): string => name.toLowerCase().replace(/\./gu, '');
