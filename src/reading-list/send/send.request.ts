import {
  fieldProblem,
  TooManyError,
  ValidationFailedError,
} from '../../platform/common/common.errors.js';
import { jsonIn } from '../../platform/http/json-text.js';

const MAX_ACTIONS = 5000;
/**
 * The maximum number of times that `actions` is URL-decoded again. Some clients URL-encode the JSON
 * text more often than necessary.
 */
const SUPERFLUOUS_ENCODINGS = 2;

/**
 * Returns the elements of `actions`, which is an array or JSON text. The elements are not validated here, because an
 * invalid element must not stop the other elements.
 *
 * @throws ValidationFailedError if `actions` is missing or is not an array.
 * @throws TooManyError if `actions` has more than 5000 elements.
 */
export function actionsOf(params: object): readonly unknown[] {
  const sent: unknown = 'actions' in params ? params.actions : undefined;
  const actions = typeof sent === 'string' ? parsed(sent, SUPERFLUOUS_ENCODINGS) : sent;
  if (!isArray(actions)) {
    throw new ValidationFailedError([
      fieldProblem('actions', sent === undefined ? 'is missing' : 'must be an array'),
    ]);
  }
  if (actions.length > MAX_ACTIONS) {
    throw new TooManyError('actions', MAX_ACTIONS);
  }
  return actions;
}

const isArray = (value: unknown): value is readonly unknown[] => Array.isArray(value);

function parsed(text: string, encodings: number): unknown {
  const value = jsonIn(text);
  return value === undefined && encodings > 0 ? parsed(unencoded(text), encodings - 1) : value;
}

function unencoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return '';
  }
}
