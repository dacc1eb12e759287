import { DomainError } from '../../platform/common/common.errors.js';

// The messages are those of the original Pocket API, because clients show them to people (docs/api/oauth.md).

/** An unknown or disabled key. The status is 403 on the OAuth paths, and 401 elsewhere. */
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

/** One error for an unknown code, an expired code, and a code of another application. */
export class CodeNotFoundError extends DomainError {
  override readonly code = 'code_not_found';

  constructor() {
    super('Code not found.');
  }
}

/** The user has refused, or has not answered yet. */
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
