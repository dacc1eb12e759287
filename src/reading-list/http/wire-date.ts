const NEVER = '0000-00-00 00:00:00';
const FOUR_DIGIT_YEAR = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})/;

/** `YYYY-MM-DD HH:mm:ss` in UTC; zeros for what no such text can say. */
export function wireDate(date: Date | null): string {
  const isValid = date !== null && !Number.isNaN(date.getTime());
  const [, day, time] = FOUR_DIGIT_YEAR.exec(isValid ? date.toISOString() : '') ?? [];
  return day === undefined || time === undefined ? NEVER : `${day} ${time}`;
}

/** Unix seconds as text, "0" for never. */
export const wireSeconds = (date: Date | null): string =>
  String(Math.floor((date?.getTime() || 0) / 1000));
