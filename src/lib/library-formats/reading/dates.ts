/** The maximum length of a date in characters. No supported date is longer, even with the name of its time zone. */
const MAX_LENGTH = 100;

const WEEKDAY = String.raw`(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? )?`;
const TIME = String.raw`(?<hour>\d\d?):(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,]\d+)?)?(?: ?(?<half>[ap])\.?m\.?)?`;
const ZONE = String.raw`(?:(?:gmt|utc)?(?<offset>[+-]\d\d(?::?\d\d)?)(?: [a-z]{1,5})?|(?<zone>[a-z]{1,4}))`;
/** A pattern for the name of a time zone in brackets, such as `(Coordinated Universal Time)` or `[Europe/Berlin]`. */
const COMMENT = String.raw`(?: ?[([][^()[\]]*[)\]])?`;
const YEAR = String.raw`(?<year>\d{4}|\d\d)`;
const MONTH_NAME = String.raw`(?<name>[a-z]{3,9})`;
const ORDINAL = String.raw`(?<day>\d\d?)(?:st|nd|rd|th|\.)?`;

/** Patterns for the notations in which exporters, mail programs and spreadsheets write a day. */
const DAYS = [
  String.raw`(?<year>\d{4})(?<mark>[-/.])(?<month>\d\d?)\k<mark>(?<day>\d\d?)`,
  String.raw`(?<day>\d\d?)\.(?<month>\d\d?)\.${YEAR}`,
  String.raw`(?<first>\d\d?)(?<mark>[-/])(?<second_number>\d\d?)\k<mark>(?<year>\d{4})`,
  String.raw`${ORDINAL}[ /-]${MONTH_NAME}\.?,?[ /-]${YEAR}`,
  String.raw`${MONTH_NAME}\.? ${ORDINAL},? (?<year>\d{4})`,
];

const FORMS: readonly RegExp[] = [
  ...DAYS.map((day) => `${WEEKDAY}${day}(?:(?:,? (?:at )?|t|:)${TIME}(?: ?${ZONE})?)?${COMMENT}`),
  // The notation of the C function `ctime` and of the command `date`.
  `${WEEKDAY}${MONTH_NAME} (?<day>\\d\\d?) ${TIME}(?: ${ZONE})? (?<year>\\d{4})`,
  // ISO 8601 without separators.
  String.raw`(?<year>(?:19|20)\d\d)(?<month>\d\d)(?<day>\d\d)(?:t?(?<hour>\d\d)(?<minute>\d\d)(?<second>\d\d)z?)?`,
].map((form) => new RegExp(`^${form}$`, 'i'));

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/**
 * The offset of each time zone from UTC in hours. Ambiguous names of time zones, such as IST, are missing on purpose.
 */
const ZONES: ReadonlyMap<string, number> = new Map(
  Object.entries({
    z: 0,
    ut: 0,
    utc: 0,
    gmt: 0,
    wet: 0,
    west: 1,
    bst: 1,
    cet: 1,
    cest: 2,
    eet: 2,
    eest: 3,
    msk: 3,
    jst: 9,
    aest: 10,
    aedt: 11,
    est: -5,
    edt: -4,
    cst: -6,
    cdt: -5,
    mst: -7,
    mdt: -6,
    pst: -8,
    pdt: -7,
  }),
);

type Groups = Readonly<Record<string, string | undefined>>;

/**
 * Returns the unix seconds of a date in ISO 8601, in RFC 2822, or in another notation that exporters use. A date
 * without a time zone is read as UTC. Returns NaN for any other text, and for an ambiguous date such as 05/06/2020.
 */
export function secondsOfDate(text: string): number {
  const plain = text.trim().slice(0, MAX_LENGTH).replaceAll(/\s+/g, ' ');
  for (const form of FORMS) {
    const groups = form.exec(plain)?.groups;
    if (groups !== undefined) {
      return secondsOfDay(groups) + secondsSinceMidnight(groups) - offsetSeconds(groups);
    }
  }
  return NaN;
}

function secondsOfDay(groups: Groups): number {
  const [month, day] = monthAndDay(groups);
  const date = new Date(Date.UTC(fullYear(groups['year']), month - 1, day));
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists ? date.getTime() / 1000 : NaN;
}

/**
 * Returns the number of a month whose name begins like the English name. Returns NaN for Finnish names, because
 * `marraskuu` means November although it begins like March.
 */
const monthNamed = (name: string): number =>
  name.endsWith('kuu') ? NaN : MONTHS.indexOf(name.slice(0, 3)) + 1;

function monthAndDay({ name, month, day, first, second_number: second }: Groups): [number, number] {
  if (name !== undefined) {
    return [monthNamed(name.toLowerCase()), Number(day)];
  }
  if (first === undefined) {
    return [Number(month), Number(day)];
  }
  const [one, other] = [Number(first), Number(second)];
  // In 13/09, the first number is the day. In 09/13, the second number is the day. The date 05/06 is ambiguous.
  if (one > 12) {
    return [other, one];
  }
  return other > 12 || one === other ? [one, other] : [NaN, NaN];
}

function fullYear(year = ''): number {
  const number = Number(year);
  if (year.length === 4) {
    return number;
  }
  return number < 70 ? 2000 + number : 1900 + number;
}

function secondsSinceMidnight({ hour = '0', minute = '0', second = '0', half }: Groups): number {
  const hours = half === undefined ? Number(hour) : hourOfDay(Number(hour), half);
  const isTime = hours < 24 && Number(minute) < 60 && Number(second) <= 60;
  return isTime ? hours * 3600 + Number(minute) * 60 + Number(second) : NaN;
}

function hourOfDay(hour: number, half: string): number {
  const isAfternoon = half.toLowerCase() === 'p';
  if (hour === 12) {
    return isAfternoon ? 12 : 0;
  }
  return isAfternoon && hour < 12 ? hour + 12 : hour;
}

function offsetSeconds({ offset, zone }: Groups): number {
  if (offset === undefined) {
    return zone === undefined ? 0 : (ZONES.get(zone.toLowerCase()) ?? NaN) * 3600;
  }
  const [, sign, hours, minutes = '0'] = /([+-])(\d\d):?(\d\d)?/.exec(offset) ?? [];
  return (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -60 : 60);
}
