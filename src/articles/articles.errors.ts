import { DomainError } from '../platform/common/common.errors.js';

/** The status of this error makes clients of the original stop retrying. */
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

/**
 * The user is downloading a book of many articles. A second one is rejected: each fetches pictures from many sites, and
 * uses memory until it is sent.
 */
export class BookUnderWayError extends DomainError {
  override readonly code = 'too_many_requests';
  override readonly retryAfterSeconds = 10;

  constructor() {
    super('Another book is on its way to you: try again when it has arrived.');
  }
}

/** The selected items, or the search among them, contain no article. */
export class EmptyBookError extends DomainError {
  override readonly code = 'not_found';

  constructor() {
    super('Nothing in your list matches, so that there is no book of it.');
  }
}
