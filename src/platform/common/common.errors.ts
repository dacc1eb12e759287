import { type Message, message } from '../i18n/message.js';
import type { ErrorCode } from './error.catalogue.js';

/**
 * An error that is reported to the client, with a stable code and a sentence. Each API converts it to its own HTTP
 * response.
 */
export abstract class DomainError extends Error {
  abstract readonly code: ErrorCode;

  /** The number of seconds after which the client may send the same request again. */
  readonly retryAfterSeconds?: number;

  /**
   * The problems of the request, one sentence each. Undefined for errors that have only one
   * problem.
   */
  readonly problems?: readonly string[];

  /**
   * The message that people see on a web page. Undefined if the web page shows the same sentence that API clients
   * receive.
   */
  readonly advice?: Message;
}

/** One reason for which a request is rejected. */
export interface Problem {
  /** The name of the parameter or form field. Undefined if the problem concerns the whole request. */
  readonly field?: string;
  /** The sentence that API clients receive. */
  readonly text: string;
  /** The message that people see in a form. Undefined if the form shows `text`. */
  readonly advice?: Message | undefined;
}

/**
 * Returns a problem with one field. `reason` is the rest of a sentence that begins with the name of the field, such as
 * `must be a number`.
 */
export const fieldProblem = (field: string, reason: string, advice?: Message): Problem => ({
  field,
  text: `${field} ${reason}`,
  advice,
});

export class ValidationFailedError extends DomainError {
  override readonly code = 'validation_failed';
  override readonly problems: readonly string[];
  /** All problems of the request, with the names of the fields that are invalid. */
  readonly details: readonly Problem[];
  /** The message about the first problem that has one. */
  override readonly advice?: Message;

  /** Creates an error from problems. A problem that concerns the whole request, and not one field, can be a string. */
  constructor(problems: readonly (Problem | string)[]) {
    const details = problems.map((one) => (typeof one === 'string' ? { text: one } : one));
    const texts = details.map(({ text }) => text);
    super(texts.join('; '));
    this.details = details;
    this.problems = texts;
    const advice = details.find((one) => one.advice !== undefined)?.advice;
    if (advice !== undefined) {
      this.advice = advice;
    }
  }
}

export class MalformedBodyError extends DomainError {
  override readonly code = 'malformed_body';
}

export class UnsupportedMediaTypeError extends DomainError {
  override readonly code = 'unsupported_media_type';

  constructor() {
    super('The body must be JSON: send Content-Type: application/json in UTF-8.');
  }
}

export class MethodNotAllowedError extends DomainError {
  override readonly code = 'method_not_allowed';

  constructor(method: string) {
    super(`The method ${method} is not allowed here.`);
  }
}

export class HostMissingError extends DomainError {
  override readonly code = 'bad_request';

  constructor() {
    super('The request must name one host.');
  }
}

/** The request has the host name of another website (docs/decisions/0146). The message does not repeat this name. */
export class UnknownHostError extends DomainError {
  override readonly code = 'unknown_host';
  override readonly advice = message('errors.unknownHost');

  constructor() {
    super(
      'The host name of the request is not a host name of this service. If it is, check that PUBLIC_URL is the address of the service, and that your proxy passes on the Host header.',
    );
  }
}

/** The request contains more parameters, actions or other elements than one call allows. */
export class TooManyError extends DomainError {
  override readonly code = 'body_too_large';

  constructor(things: string, max: number) {
    super(`A call may carry at most ${max} ${things}.`);
  }
}

/**
 * The client sent the request too slowly. The status is 408 instead of 503, because clients repeat a request after 503,
 * and the repeated request would be just as slow.
 */
export class RequestTimeoutError extends DomainError {
  override readonly code = 'request_timeout';

  constructor() {
    super('The request took too long to arrive.');
  }
}

export class HeadersTooLargeError extends DomainError {
  override readonly code = 'headers_too_large';

  constructor() {
    super('The address and the headers are too large.');
  }
}

const MINUTE_SECONDS = 60;

export class TooManyRequestsError extends DomainError {
  override readonly code = 'too_many_requests';
  override readonly advice: Message;

  constructor(override readonly retryAfterSeconds: number) {
    super(`Too many attempts: try again in ${retryAfterSeconds} seconds.`);
    const count = Math.ceil(retryAfterSeconds / MINUTE_SECONDS);
    this.advice = message('errors.tooManyAttempts', { count });
  }
}

export class ServiceBusyError extends DomainError {
  override readonly code = 'service_busy';
  override readonly retryAfterSeconds = 1;

  constructor() {
    super('The service is busy: try again in a moment.');
  }
}
