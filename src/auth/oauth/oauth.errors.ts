import { DomainError } from '../../platform/common/common.errors.js';

// Clients show these messages to people, so the wording is the same as in the original Pocket API
// (docs/api/oauth.md).

/** The consumer key is unknown or disabled. The status is 403 on the OAuth paths, and 401 on other paths. */
export class ApplicationRefusedError extends DomainError {
  override readonly code = 'application_refused';

  constructor() {
    super('Invalid consumer key.');
  }
}

export class RedirectUriMissingError extends DomainError {
  override readonly code = 'redirect_uri_missing';

  constructor() {
    super('Missing redirect url.');
  }
}

export class InvalidRedirectUriError extends DomainError {
  override readonly code = 'invalid_redirect_uri';

  constructor() {
    super('Invalid redirect uri.');
  }
}

export class CodeMissingError extends DomainError {
  override readonly code = 'code_missing';

  constructor() {
    super('Missing code.');
  }
}

/**
 * The request code is unknown, expired, or was issued to another application. The error does not
 * reveal which.
 */
export class CodeNotFoundError extends DomainError {
  override readonly code = 'code_not_found';

  constructor() {
    super('Code not found.');
  }
}

/** The user has rejected the application's request for access, or has not answered it yet. */
export class CodeNotAuthorizedError extends DomainError {
  override readonly code = 'code_not_authorized';

  constructor() {
    super('User rejected code.');
  }
}

export class CodeUsedError extends DomainError {
  override readonly code = 'code_used';

  constructor() {
    super('Already used code.');
  }
}
