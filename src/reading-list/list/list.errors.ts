import { DomainError } from '../../common/domain.error.js';

/** The account was deleted after the caller's proof was accepted. */
export class OwnerGoneError extends DomainError {
  override readonly code = 'invalid_access_token';

  constructor() {
    super('The account of this access token no longer exists.');
  }
}

/** A change that took too long to be committed is given up: a reader may have been told that it is not there. */
export class ChangeTooSlowError extends DomainError {
  override readonly code = 'service_busy';
  override readonly retryAfterSeconds = 5;

  constructor() {
    super('The change took too long and was not made: try again in a moment.');
  }
}
