import { STATUS_CODES } from 'node:http';

import type { Response } from 'express';

import { DomainError } from '../../../platform/common/common.errors.js';
import { ERROR_CATALOGUE } from '../../../platform/common/error.catalogue.js';
import { Answer } from '../../../platform/http/answer.js';
import type { ErrorReport } from '../../../platform/http/error-report.js';
import type { Protocol } from '../../../platform/http/protocols.js';
import { message } from '../../../platform/i18n/message.js';
import { isWallabagCall, isWallabagPath, WALLABAG_METHODS } from './wallabag-paths.js';

/** The error codes of the token endpoint (RFC 6749 section 5.2). */
type TokenRefusal =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type';

/**
 * An error with an OAuth 2 error code. Some clients search the error message for certain words, so these words must not
 * change.
 */
abstract class OAuthError extends DomainError {
  abstract readonly error: string;
}

/**
 * Thrown if the token endpoint rejects a request. The status is always 400, even for wrong credentials. After a
 * rejected refresh token, wallabag's Android app logs in with the password only if the status is 400.
 */
export class TokenRefusedError extends OAuthError {
  override readonly code = 'bad_request';

  constructor(
    override readonly error: TokenRefusal,
    description: string,
  ) {
    super(description);
  }
}

/** Thrown if the access token of a call is missing, invalid or expired. */
export class BearerRefusedError extends OAuthError {
  override readonly code = 'invalid_access_token';

  constructor(
    override readonly error: 'access_denied' | 'invalid_grant',
    description: string,
  ) {
    super(description);
  }
}

/** Thrown if entries cannot be exported in the requested format. */
export class NoSuchFormatError extends DomainError {
  override readonly code = 'not_found';
  override readonly advice = message('errors.onlyEpub');

  constructor(others: readonly string[] = []) {
    const formats = new Intl.ListFormat('en-GB').format(['EPUB', ...others]);
    super(`Entries are not written in this format, but in ${formats}.`);
  }
}

/**
 * A response with status 200. Its content type has no charset, because clients compare the whole `Content-Type`.
 * Clients must revalidate a cached response before each use.
 */
export class WallabagAnswer extends Answer {
  constructor(private readonly body: unknown) {
    super();
  }

  override sendTo(response: Response): void {
    response.setHeader('cache-control', 'private, no-cache');
    sendJson(response, 200, this.body);
  }
}

/** A response with status 200 that contains tokens. Caches must not store this response (RFC 6749 section 5.1). */
export class TokenAnswer extends Answer {
  constructor(private readonly body: object) {
    super();
  }

  override sendTo(response: Response): void {
    response.setHeader('cache-control', 'no-store');
    response.setHeader('pragma', 'no-cache');
    sendJson(response, 200, this.body);
  }
}

/** A response with status 304 and without a body. */
export class NotModifiedAnswer extends Answer {
  override sendTo(response: Response): void {
    response.status(304).end();
  }
}

/**
 * Sends an error in the format of the wallabag API. The response has the properties of several error formats, because
 * the clients of wallabag read different properties.
 */
function answerWallabagError(response: Response, report: ErrorReport): void {
  const { status } = ERROR_CATALOGUE[report.code];
  const text = STATUS_CODES[status] ?? 'Error';
  const error = report instanceof OAuthError ? report.error : errorNameOf(status, text);
  const description = hasOwnSentence(status, report) ? report.message : text;
  if (status === 401) {
    response.setHeader('www-authenticate', challengeOf(error, description));
    response.setHeader('pragma', 'no-cache');
  }
  sendJson(response, status, {
    code: status,
    message: status === 400 ? description : text,
    error,
    error_description: description,
  });
}

/**
 * The allowed methods and the error format of the wallabag API. They also apply to web pages below
 * the base path of the API.
 */
export const WALLABAG_PROTOCOL: Protocol = {
  isAt: isWallabagPath,
  isCall: isWallabagCall,
  methods: WALLABAG_METHODS,
  answerError: answerWallabagError,
};

const hasOwnSentence = (status: number, report: ErrorReport): boolean =>
  status !== 404 || report instanceof NoSuchFormatError;

/**
 * Formats a date with seconds and with an offset without a colon, the only format that all clients of wallabag parse.
 */
export const formatWallabagDate = (date: Date): string =>
  `${date.toISOString().slice(0, 'YYYY-MM-DDThh:mm:ss'.length)}+0000`;

function sendJson(response: Response, status: number, body: unknown): void {
  response.statusCode = status;
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(body));
}

/** Converts the text of an HTTP status to an error name, such as `Not Found` to `not_found`. */
const errorNameOf = (status: number, text: string): string =>
  status === 400 ? 'invalid_request' : text.toLowerCase().replaceAll(/\W+/g, '_');

const challengeOf = (error: string, description: string): string =>
  `Bearer realm="Service", error="${error}", error_description="${description.replaceAll('"', "'")}"`;
