import { DomainError } from '../../common/domain.error.js';

export class UnsupportedBodyError extends DomainError {
  override readonly code = 'unsupported_media_type';

  constructor() {
    super('The body must be JSON, a form or multipart fields, in UTF-8.');
  }
}

/** More of something than one call may carry. */
export class TooManyError extends DomainError {
  override readonly code = 'body_too_large';

  constructor(things: string, max: number) {
    super(`A call may carry at most ${max} ${things}.`);
  }
}
