import { DomainError } from '../common/common.errors.js';

export class EmailTakenError extends DomainError {
  override readonly code = 'email_taken';

  constructor() {
    super('There is an account with this email address already.');
  }
}

/** The same for an unknown email address, a wrong password and a disabled account. */
export class InvalidCredentialsError extends DomainError {
  override readonly code = 'invalid_credentials';

  constructor() {
    super('The credentials are not valid.');
  }
}

export class InvalidRefreshTokenError extends DomainError {
  override readonly code = 'invalid_refresh_token';

  constructor() {
    super('The refresh token is not valid: log in again.');
  }
}

export class UserNotFoundError extends DomainError {
  override readonly code = 'not_found';

  constructor(email: string) {
    super(`There is no user ${email}.`);
  }
}
