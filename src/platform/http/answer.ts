import type { Response } from 'express';

import { outerPath } from './sub-path.js';

/**
 * A complete response with status, headers and body. A handler returns an `Answer` if the status or
 * a header depends on the request.
 */
export abstract class Answer {
  abstract sendTo(response: Response): void;
}

class Redirect extends Answer {
  constructor(
    private readonly path: string,
    private readonly status: number,
  ) {
    super();
  }

  override sendTo(response: Response): void {
    response.redirect(this.status, outerPath(response, this.path));
  }
}

class JsonAnswer extends Answer {
  constructor(
    private readonly value: unknown,
    private readonly status: number,
  ) {
    super();
  }

  override sendTo(response: Response): void {
    response.status(this.status).json(this.value);
  }
}

/**
 * The HTTP status of a redirect that the browser follows with a GET request, even after a POST request (RFC 9110
 * section 15.4.4).
 */
const SEE_OTHER = 303;

/** Redirects to a path of this service, or to a complete URL. */
export const redirect = (path: string, status = SEE_OTHER): Answer => new Redirect(path, status);

export const json = (value: unknown, status = 200): Answer => new JsonAnswer(value, status);
