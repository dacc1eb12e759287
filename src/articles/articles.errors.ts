import { DomainError } from '../platform/common/common.errors.js';
import { message } from '../platform/i18n/message.js';

/**
 * Thrown if the page of an item has no article. Pocket's clients do not retry a request after the
 * HTTP status 415 of this error.
 */
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
 * Thrown if the user is already downloading a book of many articles. Each user can download only one such book at a
 * time, because its pictures are fetched from many sites and use memory.
 */
export class BookUnderWayError extends DomainError {
  override readonly code = 'too_many_requests';
  override readonly advice = message('errors.bookRunning');
  override readonly retryAfterSeconds = 10;

  constructor() {
    super('Another book is on its way to you: try again when it has arrived.');
  }
}

/** Thrown if a book would be empty, because none of the requested items has an article. */
export class EmptyBookError extends DomainError {
  override readonly code = 'not_found';
  override readonly advice = message('errors.emptyBook');

  constructor() {
    super('Nothing in your list matches, so that there is no book of it.');
  }
}
