import { DomainError } from '../common/common.errors.js';

/** The same for an item that does not exist and for one of another user. */
export class ItemNotFoundError extends DomainError {
  override readonly code = 'item_not_found';

  constructor() {
    super('There is no such item in the list.');
  }
}

/** The account was deleted after the credential of the caller was accepted. */
export class OwnerGoneError extends DomainError {
  override readonly code = 'invalid_access_token';

  constructor() {
    super('The account of this access token no longer exists.');
  }
}
