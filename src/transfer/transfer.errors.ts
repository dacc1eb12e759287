import { DomainError } from '../platform/common/common.errors.js';

export class ImportUnfinishedError extends DomainError {
  override readonly code = 'import_unfinished';

  constructor() {
    super('An import of yours is not finished yet: wait for it, or cancel it.');
  }
}

export class FileTooLargeError extends DomainError {
  override readonly code = 'body_too_large';

  constructor(megabytes: number) {
    super(`The file is larger than the ${megabytes} MB that this service takes.`);
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
