import { STATUS_CODES } from 'node:http';

import type { Response } from 'express';

import { DomainError } from '../../../platform/common/common.errors.js';
import { ERROR_CATALOGUE } from '../../../platform/common/error.catalogue.js';
import type { ErrorReport } from '../../../platform/http/error-report.js';
import type { Protocol } from '../../../platform/http/protocols.js';
import { isWallabagCall, isWallabagPath, WALLABAG_METHODS } from './wallabag-paths.js';

/** Why a call for tokens is refused (RFC 6749 section 5.2). */
type TokenRefusal =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type';

/** A refusal that has a name in OAuth 2; clients look for words in its sentence. */
abstract class OAuthError extends DomainError {
  abstract readonly error: string;
}

/** Always 400, also for wrong credentials: wallabag's Android app tries the password on no other status. */
export class TokenRefusedError extends OAuthError {
  override readonly code = 'bad_request';

  constructor(
    override readonly error: TokenRefusal,
    description: string,
  ) {
    super(description);
  }
}

/** A call without a token, or with one that is not valid (any more). */
export class BearerRefusedError extends OAuthError {
  override readonly code = 'invalid_access_token';

  constructor(
    override readonly error: 'access_denied' | 'invalid_grant',
    description: string,
  ) {
    super(description);
  }
}

/** A file of an entry in a format that is not written. */
export class NoSuchFormatError extends DomainError {
  override readonly code = 'not_found';

  constructor(others: readonly string[] = []) {
    const formats = new Intl.ListFormat('en-GB').format(['EPUB', ...others]);
    super(`Entries are not written in this format, but in ${formats}.`);
  }
}

/** Ends an answer of 200. Clients compare the whole `Content-Type`, and ask again each time. */
export function sendWallabag(response: Response, body: unknown): void {
  response.setHeader('cache-control', 'private, no-cache');
  sendJson(response, 200, body);
}

/** Ends an answer that has tokens in it (RFC 6749 section 5.1). */
export function sendTokens(response: Response, body: object): void {
  response.setHeader('cache-control', 'no-store');
  response.setHeader('pragma', 'no-cache');
  sendJson(response, 200, body);
}

/** Ends an answer with an error as wallabag's clients read it: each member is there, whichever they look for. */
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

/** The protocol of wallabag's clients, for their calls and for the pages that they open. */
export const WALLABAG_PROTOCOL: Protocol = {
  isAt: isWallabagPath,
  isCall: isWallabagCall,
  methods: WALLABAG_METHODS,
  answerError: answerWallabagError,
};

const hasOwnSentence = (status: number, report: ErrorReport): boolean =>
  status !== 404 || report instanceof NoSuchFormatError;

/** Seconds and an offset without a colon: the one form that all clients read. */
export const formatWallabagDate = (date: Date): string =>
  `${date.toISOString().slice(0, 'YYYY-MM-DDThh:mm:ss'.length)}+0000`;

function sendJson(response: Response, status: number, body: unknown): void {
  response.statusCode = status;
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(body));
}

/** `not_found` for `Not Found`. */
const errorNameOf = (status: number, text: string): string =>
  status === 400 ? 'invalid_request' : text.toLowerCase().replaceAll(/\W+/g, '_');

const challengeOf = (error: string, description: string): string =>
  `Bearer realm="Service", error="${error}", error_description="${description.replaceAll('"', "'")}"`;
