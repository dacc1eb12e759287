import { STATUS_CODES } from 'node:http';

import { ERROR_CATALOGUE } from '../error.catalogue.js';
import type { Fault } from './fault.js';

/** The body of every refusal outside of the v3 endpoints (docs/errors.md). */
export function accountError({ code, message, faults }: Fault): object {
  const { status } = ERROR_CATALOGUE[code];
  return { statusCode: status, error: STATUS_CODES[status], message: faults ?? message, code };
}
