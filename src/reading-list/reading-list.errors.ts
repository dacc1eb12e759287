import { DomainError, ValidationFailedError } from '../platform/common/common.errors.js';
import { type Message, message } from '../platform/i18n/message.js';
import { byteSize, byteSizeText } from './storage/byte-size.js';

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

  /** `advice` is the message for people. */
  constructor(
    text: string,
    override readonly advice: Message,
  ) {
    super(text);
  }

  /** Returns the error of a list that can store this number of bytes. */
  static of(limitBytes: number): StorageFullError {
    return new StorageFullError(
      `Your list is full: it can store ${byteSizeText(limitBytes)}. Delete items and empty the trash, or ask your administrator for more.`,
      message('errors.listFull', { limit: byteSize(limitBytes) }),
    );
  }
}
