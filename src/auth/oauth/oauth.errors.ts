import { DomainError } from '../../platform/common/common.errors.js';

// The sentences are those of the original, which clients show to people (docs/api/oauth.md).

/** On the OAuth paths an unknown or disabled key is a 403, elsewhere a 401. */
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

/** The same for an unknown code, an expired one, and one of another application. */
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
