import { textOf } from '../platform/common/request-fields.js';
import { type Message, message } from '../platform/i18n/message.js';

/** A choice of how long a new key is valid. */
export interface ValidityChoice {
  /** The number of days. Empty if the key never expires. */
  readonly value: string;
  readonly label: Message;
  readonly isSelected: boolean;
}

const CHOICES = [
  { value: '', label: message('keys.validity.forever') },
  { value: '30', label: message('keys.validity.month') },
  { value: '90', label: message('keys.validity.quarter') },
  { value: '365', label: message('keys.validity.year') },
];

/** Returns the choices of the field `valid_days`. */
export const validityChoices = (validDays?: number): readonly ValidityChoice[] =>
  CHOICES.map((choice) => ({
    ...choice,
    isSelected: choice.value === (validDays === undefined ? '' : String(validDays)),
  }));

/** Returns the number of days, NaN for another text, or undefined if the key never expires. */
export function validDaysIn(body: unknown): number | undefined {
  const text = textOf(body, 'valid_days').trim();
  return text === '' ? undefined : Number(text);
}
