import { DomainError } from '../platform/common/common.errors.js';

/** The form does not contain the CSRF token of the session. Another site sent the form, or the session has ended. */
export class FormOutdatedError extends DomainError {
  override readonly code = 'form_outdated';

  constructor() {
    super('This form is out of date: open the page again.');
  }
}

export class FileMissingError extends DomainError {
  override readonly code = 'validation_failed';

  constructor() {
    super('Choose a file first, and send it again.');
  }
}

/** A script sent a request without a session. */
export class LoginNeededError extends DomainError {
  override readonly code = 'invalid_credentials';

  constructor() {
    super('Log in first.');
  }
}
