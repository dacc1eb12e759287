import { InvalidCredentialsError } from '../auth/auth.errors.js';
import { LoginNameError, TooManyPersonalKeysError } from '../auth/consumers/consumers.errors.js';
import { formErrorsOf } from './forms.js';
import type { FormError } from './views.js';
import { SignInNeeded } from './visitors.js';

/**
 * Why a user gets no personal key, application password or client. Throws SignInNeeded for a user who was signed out in
 * the meantime, and any other error on.
 */
export function keyErrorsOf(error: unknown): FormError[] {
  if (error instanceof InvalidCredentialsError) {
    throw new SignInNeeded();
  }
  if (error instanceof LoginNameError) {
    return [{ field: 'login_name', text: error.message }];
  }
  return error instanceof TooManyPersonalKeysError
    ? [{ field: '', text: error.message }]
    : formErrorsOf(error);
}
