import { InvalidCredentialsError } from '../auth/auth.errors.js';
import { LoginNameError, TooManyPersonalKeysError } from '../auth/consumers/consumers.errors.js';
import { plainText } from '../platform/i18n/message.js';
import { type FormError, formError, formErrorsOf } from './forms.js';
import { SignInNeeded } from './visitors.js';

/**
 * Returns the reason why a personal key, application password or client was not created. Rethrows every other error.
 * @throws SignInNeeded if the user was signed out while the key was created
 */
export function keyErrorsOf(error: unknown): FormError[] {
  if (error instanceof InvalidCredentialsError) {
    throw new SignInNeeded();
  }
  if (error instanceof LoginNameError) {
    return [{ field: 'login_name', text: plainText(error.message) }];
  }
  return error instanceof TooManyPersonalKeysError
    ? [formError(plainText(error.message))]
    : formErrorsOf(error);
}
