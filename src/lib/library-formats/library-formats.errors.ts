import { DomainError } from '../../platform/common/common.errors.js';

export class UnknownFormatError extends DomainError {
  override readonly code = 'unknown_format';

  constructor() {
    super('The file is no export that can be imported (docs/import-formats.md lists them).');
  }
}

/** Nothing can be read from the file, whatever its format. */
export class UnreadableFileError extends DomainError {
  override readonly code = 'unreadable_file';

  constructor(reason: string, cause?: unknown) {
    super(reason, { cause });
  }
}
