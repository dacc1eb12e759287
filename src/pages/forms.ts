import express, {
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';

import { ValidationFailedError } from '../common/common.errors.js';
import { refuseHostileText } from '../common/http/text-gate.js';
import { formPairs } from '../pocket-api/form.js';
import type { FormError } from './views.js';

/** The errors of a form; each sentence begins with the name of the field. Throws any other error on. */
export function formErrorsOf(error: unknown): FormError[] {
  if (!(error instanceof ValidationFailedError)) {
    throw error;
  }
  return error.problems.map((sentence) => ({
    field: sentence.split(' ', 1).join(''),
    text: `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`,
  }));
}

/** Where the pages lie whose forms are read. */
export const FORM_PATHS = ['/auth', '/account'];
const LIMIT = '16kb';

/** Reads the form of a page; a body of another type counts as empty, and has no token (csrf.guard.ts). */
export const formBody = (): RequestHandler[] => [
  express.raw({ type: 'application/x-www-form-urlencoded', limit: LIMIT }),
  readFields,
];

function readFields(request: Request, _response: Response, next: NextFunction): void {
  const body: unknown = request.body;
  const fields = Buffer.isBuffer(body)
    ? Object.fromEntries(formPairs(body.toString('latin1')))
    : {};
  refuseHostileText(fields);
  request.body = fields;
  next();
}
