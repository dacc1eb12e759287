import { DomainError } from '../common/domain.error.js';

/** Articles are of the caller's own items (docs/decisions/0021). */
export class ItemNotFoundError extends DomainError {
  override readonly code = 'item_not_found';

  constructor() {
    super('There is no such item in the list.');
  }
}

/** Clients of the original take the status for the end: they do not ask again. */
export class NoArticleError extends DomainError {
  override readonly code = 'no_article';

  constructor() {
    super('The page has no article.');
  }
}

export class PageNotReadError extends DomainError {
  override readonly code = 'page_not_read';
  override readonly retryAfterSeconds = 10;

  constructor() {
    super('The page is not read yet: try again in a moment.');
  }
}
