import { DomainError } from '../common/domain.error.js';

/** The same for an item that nobody has and for one of somebody else. */
export class ItemNotFoundError extends DomainError {
  override readonly code = 'item_not_found';

  constructor() {
    super('There is no such item in the list.');
  }
}
