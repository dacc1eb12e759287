import { type Message, message } from '../../platform/i18n/message.js';
import { english } from '../../platform/i18n/translator.js';

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;

/** The factor between a unit and the next larger unit, such as KB and MB. */
const STEP = 1000;

/** Returns a size for people to read, such as `12.3 MB`. */
export function byteSize(bytes: number): Message {
  let size = bytes;
  let unit = 0;
  // From 999.95, rounding to one decimal would show 1000. Use the next larger unit instead.
  while (size >= STEP - 0.05 && unit < UNITS.length - 1) {
    size /= STEP;
    unit += 1;
  }
  return message(`sizes.${UNITS[unit] ?? 'bytes'}`, { size: Math.round(size * 10) / 10 });
}

/** Returns a size for the errors of the API, which are in English. */
export const byteSizeText = (bytes: number): string => english.text(byteSize(bytes));
