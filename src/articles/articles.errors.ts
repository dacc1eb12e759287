import { DomainError } from '../common/common.errors.js';

/** Its status tells clients of the original not to ask again. */
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
