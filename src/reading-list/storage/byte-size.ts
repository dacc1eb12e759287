const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;

/** The factor between a unit and the next larger unit, such as kB and MB. */
const STEP = 1000;

/** Returns a size for people to read, such as `12.3 MB`. */
export function byteSizeText(bytes: number): string {
  let size = bytes;
  let unit = 0;
  // The next larger unit is used from 999.95, because 999.95 would be rounded to 1000.
  while (size >= STEP - 0.05 && unit < UNITS.length - 1) {
    size /= STEP;
    unit += 1;
  }
  const shown = size.toLocaleString('en-GB', { maximumFractionDigits: unit === 0 ? 0 : 1 });
  return `${shown} ${UNITS[unit] ?? ''}`;
}
