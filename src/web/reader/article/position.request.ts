import { fieldProblem, ValidationFailedError } from '../../../platform/common/common.errors.js';
import { textOf } from '../../../platform/common/request-fields.js';
import type { NewPosition } from '../../../reading-list/list/reading-position.repository.js';

const PERCENT = 100;
const NUMBER = /^\d{1,15}(?:\.\d{1,20})?$/;
const MOST_PARAGRAPHS = 10_000_000;

const numberOf = (text: string): number => (NUMBER.test(text) ? Number(text) : NaN);

/**
 * Parses a reading position. A script sends a fraction, a paragraph and a time in milliseconds. The form sends a
 * percentage.
 * @throws ValidationFailedError if the position is not from 0 to 100 percent
 */
export function positionOf(form: unknown, nowMs: number): NewPosition {
  const percent = textOf(form, 'percent');
  const fraction =
    percent === '' ? numberOf(textOf(form, 'fraction')) : numberOf(percent) / PERCENT;
  if (!(fraction >= 0 && fraction <= 1)) {
    throw new ValidationFailedError([fieldProblem('percent', 'must be a number from 0 to 100')]);
  }
  const paragraph = numberOf(textOf(form, 'paragraph'));
  const atMs = numberOf(textOf(form, 'at'));
  return {
    fraction,
    paragraph: paragraph <= MOST_PARAGRAPHS ? Math.trunc(paragraph) : undefined,
    atMs: Number.isNaN(atMs) ? nowMs : atMs,
  };
}
