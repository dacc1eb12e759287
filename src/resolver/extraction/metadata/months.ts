/** The languages whose names of months are known; ICU has them. */
const LOCALES =
  'en de fr es it pt nl pl cs sk sl hr hu ro sv da nb fi et lv lt ru uk bg el tr id ms ca'.split(
    ' ',
  );
const STYLES = ['long', 'short'] as const;

const FIRSTS = Array.from({ length: 12 }, (_, index) => new Date(Date.UTC(2020, index, 1)));

let months: ReadonlyMap<string, number> | undefined;

/** The number of a month by its name in one of the languages, 0 for any other word. */
export function monthOf(name: string | undefined): number {
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
