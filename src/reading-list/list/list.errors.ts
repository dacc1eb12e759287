import { DomainError } from '../../common/domain.error.js';

/** The account was deleted after the caller's proof was accepted. */
export class OwnerGoneError extends DomainError {
  override readonly code = 'invalid_access_token';

  constructor() {
    super('The account of this access token no longer exists.');
  }
}
