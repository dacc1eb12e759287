import { DomainError } from '../platform/common/common.errors.js';
import { byteSizeText } from './storage/byte-size.js';

/** The item does not exist, or it belongs to another user. */
export class ItemNotFoundError extends DomainError {
  override readonly code = 'item_not_found';

  constructor() {
    super('There is no such item in the list.');
  }
}

/** The account was deleted after the caller was authenticated. */
export class OwnerGoneError extends DomainError {
  override readonly code = 'invalid_access_token';

  constructor() {
    super('The account of this access token no longer exists.');
  }
}

/** The user has reached the storage limit (STORAGE_LIMIT_PER_USER). */
export class StorageFullError extends DomainError {
  override readonly code = 'storage_full';

  /** `limit` is either the limit in bytes or the complete error message. */
  constructor(limit: number | string) {
    super(typeof limit === 'string' ? limit : fullSentence(limit));
  }
}

const fullSentence = (limit: number): string =>
  `Your list is full: it can store ${byteSizeText(limit)}. Delete items, or ask your administrator for more.`;
