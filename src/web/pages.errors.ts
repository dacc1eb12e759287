import { ValidationFailedError } from '../platform/common/common.errors.js';
import { type Message, message } from '../platform/i18n/message.js';
import { TranslatedError } from '../platform/i18n/translated.error.js';
import { english } from '../platform/i18n/translator.js';

/**
 * Thrown if a form does not contain the CSRF token of the session, because another site sent the form or the session
 * has ended.
 */
export class FormOutdatedError extends TranslatedError {
  override readonly code = 'form_outdated';

  constructor() {
    super(message('errors.formOutdated'));
  }
}

/** Thrown if a script sends a request without a session. */
export class LoginNeededError extends TranslatedError {
  override readonly code = 'invalid_credentials';

  constructor() {
    super(message('errors.loginNeeded'));
  }
}

/**
 * Thrown if a request for a page is invalid, but no single field is the cause. The response to a
 * script contains the message in English.
 */
export class InvalidPageRequestError extends ValidationFailedError {
  constructor(override readonly advice: Message) {
    super([{ text: english.text(advice), advice }]);
  }
}
