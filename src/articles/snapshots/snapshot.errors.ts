import { DomainError } from '../../platform/common/common.errors.js';
import { message } from '../../platform/i18n/message.js';

/** The snapshot exceeds the limits of a worker thread, or its elements are nested too deep. */
export class SnapshotNotShownError extends DomainError {
  override readonly code = 'unreadable_file';
  override readonly advice = message('snapshots.tooComplex');

  constructor() {
    super('This snapshot is too complex to be shown.');
  }
}
