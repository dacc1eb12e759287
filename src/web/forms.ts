import express, {
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';

import { InvalidOtpError, OtpRequiredError } from '../auth/auth.errors.js';
import { type Problem, ValidationFailedError } from '../platform/common/common.errors.js';
import { belowPath } from '../platform/http/at-path.js';
import { refuseHostileText } from '../platform/http/text-gate.js';
import { type Message, message } from '../platform/i18n/message.js';
import { formPairs, paramsOf } from '../pocket-api/form.js';
import { StorageFullError } from '../reading-list/reading-list.errors.js';

/**
 * The reason why a form was rejected. `field` is the name of the rejected input. It is empty if the reason concerns the
 * whole form.
 */
export interface FormError {
  readonly field: string;
  readonly text: Message;
}

/** Returns an error that concerns the whole form, not one field. */
export const formError = (text: Message): FormError => ({ field: '', text });

/** Messages about fields that are rejected without a message for people, keyed by field name. */
export type FieldRules = ReadonlyMap<string, Message>;

/**
 * Returns the errors of a rejected form, with the field of each error and a sentence for the user. Rethrows unexpected
 * errors.
 */
export function formErrorsOf(error: unknown, rules: FieldRules = new Map()): FormError[] {
  if (error instanceof StorageFullError) {
    return [formError(error.advice)];
  }
  if (!(error instanceof ValidationFailedError)) {
    throw error;
  }
  return problemErrors(error.details, rules);
}

/** Returns the errors of a form for the problems of its fields. */
export const problemErrors = (
  problems: readonly Problem[],
  rules: FieldRules = new Map(),
): FormError[] =>
  problems.map(({ field = '', advice }) => ({
    field,
    text: advice ?? rules.get(field) ?? message('errors.value'),
  }));

/** Returns the message for a rejected code of the second factor. Rethrows unexpected errors. */
export function codeErrorOf(error: unknown): Message {
  if (error instanceof OtpRequiredError || error instanceof InvalidOtpError) {
    return message('secondFactor.wrongCode');
  }
  throw error;
}

/** The paths to which forms can be sent, with the maximum size of a form. */
const FORM_LIMITS: Readonly<Record<string, string>> = {
  // If a session ends before a form is sent, the login form contains that form
  // (login/kept-form.ts).
  '/auth/login': '512kb',
  '/auth/leave': '512kb',
  '/auth/confirm': '512kb',
  '/auth/second-factor': '1kb',
  '/auth/oidc': '1kb',
  '/auth/register': '16kb',
  '/auth/forgot': '16kb',
  '/auth/reset': '16kb',
  '/auth/verify': '16kb',
  '/auth/authorize': '16kb',
  '/account': '16kb',
  '/admin': '16kb',
  '/wallabag/login': '1kb',
  '/wallabag/login_check': '16kb',
  '/wallabag/developer': '16kb',
  '/list': '64kb',
  '/save': '64kb',
  '/snapshots': '16kb',
  '/read': '256kb',
};

export const FORM_PATHS = Object.keys(FORM_LIMITS);

/**
 * Returns a request handler for all paths with forms and their sub-paths. For each path, calls
 * `handlerOf` with the maximum size of a form.
 */
export const atForms = (handlerOf: (limit: string) => RequestHandler): RequestHandler =>
  belowPath(new Map(Object.entries(FORM_LIMITS).map(([path, limit]) => [path, handlerOf(limit)])));

/**
 * Returns the handlers that parse forms. They ignore bodies with other content types, which
 * CsrfGuard then rejects because the CSRF token is missing (csrf.guard.ts).
 */
export const formBodies = (): readonly RequestHandler[] => [
  atForms((limit) => express.raw({ type: 'application/x-www-form-urlencoded', limit })),
  atForms(() => readFields),
];

/** Parses the fields of a form. Repeated fields such as `item[]=1&item[]=2` become an array. */
function readFields(request: Request, _response: Response, next: NextFunction): void {
  const body: unknown = request.body;
  const fields = Buffer.isBuffer(body) ? paramsOf(formPairs(body.toString('latin1'))) : {};
  refuseHostileText(fields);
  request.body = fields;
  next();
}
