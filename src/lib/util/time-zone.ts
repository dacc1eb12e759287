/**
 * Returns true if the text is the name of a time zone. Rejects UTC offsets such as +01:00, because
 * an offset does not change with daylight saving time.
 */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Z]/i.test(text)) {
    return false;
  }
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

const SPELLINGS: ReadonlyMap<string, string> = new Map(
  ['UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => [zone.toLowerCase(), zone]),
);

/** Returns the usual spelling of a time zone, such as `Europe/Zurich` for ` europe/zurich`. */
export function canonicalTimeZone(text: string): string {
  const trimmed = text.trim();
  return SPELLINGS.get(trimmed.toLowerCase()) ?? trimmed;
}
