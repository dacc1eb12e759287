import { DomainError, ValidationFailedError } from '../platform/common/common.errors.js';
import { message } from '../platform/i18n/message.js';
import { byteSizeText } from './storage/byte-size.js';

/** The item does not exist, or it belongs to another user. */
export class ItemNotFoundError extends DomainError {
  override readonly code = 'item_not_found';

  constructor() {
    super('There is no such item in the list.');
  }
}

/** The place of another item with the same address. An item in the list has its id. */
export type TakenBy = { readonly itemId: string } | 'trash';

/** The new address of an item belongs to another item of the user. */
export class AddressTakenError extends ValidationFailedError {
  constructor(readonly takenBy: TakenBy) {
    super([
      takenBy === 'trash'
        ? { ...IN_TRASH, advice: message('editItem.rules.trashed') }
        : { ...IN_LIST, advice: message('editItem.rules.listed') },
    ]);
  }
}

const IN_TRASH = { field: 'url', text: 'This address is in your trash' };
const IN_LIST = { field: 'url', text: 'This address is already in your list' };

/** A form changes a public link that was revoked or has expired. */
export class LinkEndedError extends ValidationFailedError {
  constructor() {
    super([{ field: 'days', text: 'This link no longer works' }]);
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
  `Your list is full: it can store ${byteSizeText(limit)}. Delete items and empty the trash, or ask your administrator for more.`;
