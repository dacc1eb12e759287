import { ValidationFailedError } from '../common/common.errors.js';
import type { FormFault } from './views.js';

/** The faults of a form; each sentence begins with the name of the field. Throws on what is no fault of a form. */
export function formFaultsOf(error: unknown): FormFault[] {
  if (!(error instanceof ValidationFailedError)) {
    throw error;
  }
  return error.faults.map((sentence) => ({
    field: sentence.split(' ', 1).join(''),
    text: `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`,
  }));
}
