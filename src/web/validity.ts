import { parseValidity } from '../auth/consumers/key-validity.js';
import { valueIn } from '../platform/common/request-fields.js';
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

/**
 * Returns the number of days, or undefined if the key never expires. Returns NaN, which no form accepts, for any other
 * value, for example for a field that occurs twice.
 */
export function validDaysIn(body: unknown): number | undefined {
  const value = valueIn(body, 'valid_days');
  if (value === undefined || value === '') {
    return undefined;
  }
  return (typeof value === 'string' ? parseValidity(value) : undefined) ?? Number.NaN;
}
