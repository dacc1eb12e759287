const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;

/** One unit of a size in the next smaller one. */
const STEP = 1000;

/** A size for people, such as `12.3 MB`. */
export function byteSizeText(bytes: number): string {
  let size = bytes;
  let unit = 0;
  // 999.95 would be shown as 1000.
  while (size >= STEP - 0.05 && unit < UNITS.length - 1) {
    size /= STEP;
    unit += 1;
  }
  const shown = size.toLocaleString('en-GB', { maximumFractionDigits: unit === 0 ? 0 : 1 });
  return `${shown} ${UNITS[unit] ?? ''}`;
}
