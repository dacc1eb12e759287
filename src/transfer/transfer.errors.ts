import { DomainError } from '../platform/common/common.errors.js';
import { type Message, message } from '../platform/i18n/message.js';

export class ImportUnfinishedError extends DomainError {
  override readonly code = 'import_unfinished';
  override readonly advice = message('errors.importRunning');

  constructor() {
    super('An import of yours is not finished yet: wait for it, or cancel it.');
  }
}

export class ImportNotUndoableError extends DomainError {
  override readonly code = 'import_not_undoable';
  override readonly advice = message('errors.importNotUndoable');

  constructor() {
    super(
      'Only an import that has changed the list and ended within the last 24 hours can be undone.',
    );
  }
}

export class FileTooLargeError extends DomainError {
  override readonly code = 'body_too_large';
  override readonly advice: Message;

  constructor(megabytes: number) {
    super(`The file is larger than the ${megabytes} MB that this service takes.`);
    this.advice = message('errors.fileTooLarge', { megabytes });
  }
}

/** Thrown if the account of an export was deleted, so that the export is incomplete. */
export class AccountDeletedError extends DomainError {
  override readonly code = 'not_found';

  constructor() {
    super('The account was deleted during the export.');
  }
}

/** Thrown if the server no longer expects the upload, because it was abandoned or the account was deleted. */
export class UploadGoneError extends DomainError {
  override readonly code = 'not_found';

  constructor() {
    super('This upload is not waited for any more.');
  }
}

export class ImportNotFoundError extends DomainError {
  override readonly code = 'not_found';

  constructor(message = 'There is no such import.') {
    super(message);
  }
}
