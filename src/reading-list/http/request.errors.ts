import { DomainError } from '../../common/domain.error.js';

export class UnsupportedBodyError extends DomainError {
  override readonly code = 'unsupported_media_type';

  constructor() {
    super('The body must be JSON, a form or multipart fields, in UTF-8.');
  }
}
