import { DomainError } from '../platform/common/common.errors.js';

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

/** Of a book of many articles: each takes pictures of a hundred sites, and memory until it has arrived. */
export class BookUnderWayError extends DomainError {
  override readonly code = 'too_many_requests';
  override readonly retryAfterSeconds = 10;

  constructor() {
    super('Another book is on its way to you: try again when it has arrived.');
  }
}

/** Neither the items nor a search of them leave anything to read. */
export class EmptyBookError extends DomainError {
  override readonly code = 'not_found';

  constructor() {
    super('Nothing in your list matches, so that there is no book of it.');
  }
}
