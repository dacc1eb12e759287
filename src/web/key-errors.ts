import { InvalidCredentialsError } from '../auth/auth.errors.js';
import { LoginNameError, TooManyPersonalKeysError } from '../auth/consumers/consumers.errors.js';
import { type FormError, formError, formErrorsOf } from './forms.js';
import { SignInNeeded } from './visitors.js';

/**
 * Returns the reason why a personal key, application password or client was not created. Rethrows unexpected errors.
 * @throws SignInNeeded if the user was signed out while the key was created
 */
export function keyErrorsOf(error: unknown): FormError[] {
  if (error instanceof InvalidCredentialsError) {
    throw new SignInNeeded();
  }
  if (error instanceof LoginNameError) {
    return [{ field: 'login_name', text: error.advice }];
  }
  return error instanceof TooManyPersonalKeysError
    ? [formError(error.advice)]
    : formErrorsOf(error);
}
