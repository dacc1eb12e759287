import { DomainError } from '../../platform/common/common.errors.js';
import { byteSizeText } from '../storage/byte-size.js';

/** The snapshot does not exist, or it belongs to another user. */
export class SnapshotNotFoundError extends DomainError {
  override readonly code = 'not_found';

  constructor() {
    super('There is no such snapshot.');
  }
}

/** The snapshot is larger than SNAPSHOT_MAX_MB. */
export class SnapshotTooLargeError extends DomainError {
  override readonly code = 'body_too_large';

  constructor(limitBytes: number) {
    super(
      limitBytes === 0
        ? 'This service stores no snapshots.'
        : `A snapshot can have at most ${byteSizeText(limitBytes)}.`,
    );
  }
}

/** The HTML has more elements than any page, and showing it would need too much time. */
export class SnapshotTooComplexError extends DomainError {
  override readonly code = 'body_too_large';

  constructor() {
    super('The page has too many elements for a snapshot.');
  }
}
