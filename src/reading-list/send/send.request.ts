import {
  fieldProblem,
  TooManyError,
  ValidationFailedError,
} from '../../platform/common/common.errors.js';
import { jsonIn } from '../../platform/http/json-text.js';

const MAX_ACTIONS = 5000;
/** Clients encode the JSON once more than the query or the form needs. */
const SUPERFLUOUS_ENCODINGS = 2;

/**
 * The elements of `actions`, an array or its JSON, as they were sent: an element that is wrong fails by itself,
 * which the parser of actions decides.
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
