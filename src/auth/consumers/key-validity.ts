import { fieldProblem, type Problem } from '../../platform/common/common.errors.js';
import { message } from '../../platform/i18n/message.js';

/** The longest time after which a key can expire: ten years. */
export const MOST_VALID_DAYS = 3650;

const WRONG_VALIDITY = fieldProblem(
  'valid_days',
  `must be 1 to ${MOST_VALID_DAYS}`,
  message('keys.rules.validity'),
);

const isValidity = (days: number): boolean =>
  Number.isInteger(days) && days >= 1 && days <= MOST_VALID_DAYS;

const DAYS = /^[1-9]\d{0,3}$/;

/** Parses the number of days after which a new key expires. Returns undefined for any other text. */
export function parseValidity(text: string): number | undefined {
  const days = DAYS.test(text) ? Number(text) : undefined;
  return days !== undefined && isValidity(days) ? days : undefined;
}

/** Checks after how many days a new key expires. Undefined is valid, because a key can be valid for ever. */
export const validityProblems = (validDays: number | undefined): readonly Problem[] =>
  validDays === undefined || isValidity(validDays) ? [] : [WRONG_VALIDITY];
