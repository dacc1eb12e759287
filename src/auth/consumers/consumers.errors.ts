import { DomainError } from '../../platform/common/common.errors.js';
import { message } from '../../platform/i18n/message.js';
import { TranslatedError } from '../../platform/i18n/translated.error.js';
import type { Permission } from './permission.js';

export class ConsumerKeyMissingError extends DomainError {
  override readonly code = 'consumer_key_missing';

  constructor() {
    super('Missing consumer key.');
  }
}

/** The consumer key is unknown or disabled. The error does not reveal which. */
export class InvalidConsumerKeyError extends DomainError {
  override readonly code = 'invalid_consumer_key';

  constructor() {
    super('Invalid consumer key.');
  }
}

export class InvalidAccessTokenError extends DomainError {
  override readonly code = 'invalid_access_token';

  constructor() {
    super('A valid access token is required to access this endpoint.');
  }
}

/**
 * The access token was issued for another consumer key. This is a separate error, because it helps
 * developers who have mixed up two keys (docs/decisions/0020).
 */
export class AccessTokenOfAnotherKeyError extends DomainError {
  override readonly code = 'access_token_of_another_key';

  constructor() {
    super('The access token belongs to another consumer key.');
  }
}

export class PermissionMissingError extends DomainError {
  override readonly code = 'permission_missing';

  constructor(permission: Permission) {
    super(`The consumer key does not have the permission "${permission}".`);
  }
}

/** A programming error: the route declares no permission and is not marked as public. */
export class UndeclaredRouteError extends DomainError {
  override readonly code = 'undeclared_route';

  constructor() {
    super('This endpoint is closed.');
  }
}

export class ConsumerKeyNotFoundError extends DomainError {
  override readonly code = 'not_found';

  constructor(reference: string) {
    super(`There is no consumer key ${reference.split('-')[0] ?? ''}.`);
  }
}

export class TooManyPersonalKeysError extends TranslatedError {
  override readonly code = 'validation_failed';

  constructor(max: number) {
    super(message('keys.rules.tooMany', { most: max }));
  }
}

/** The login name of an application password is invalid or taken. */
export class LoginNameError extends TranslatedError {
  override readonly code = 'validation_failed';
}

/** An expired key cannot be enabled, because it would still not work. */
export class KeyExpiredError extends TranslatedError {
  override readonly code = 'validation_failed';

  constructor() {
    super(message('keys.list.isExpired'));
  }
}

export class ConsumerKeyTakenError extends DomainError {
  override readonly code = 'validation_failed';

  constructor() {
    super('This consumer key is there already.');
  }
}
