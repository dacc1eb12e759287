import {
  AuthorizationResponseError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client';

import { clean, cut, withoutControls } from '../../lib/util/clean-text.js';
import { ProxyError } from '../../platform/fetching/fetch-errors.js';

const MAX_LOGGED = 200;

/**
 * The known error codes of OAuth 2.0 and OpenID Connect. The log contains only one warning for all
 * unknown codes, because a browser can send any number of invented codes.
 */
const KNOWN_ERRORS = new Set([
  ...['invalid_request', 'unauthorized_client', 'access_denied', 'unsupported_response_type'],
  ...['invalid_scope', 'server_error', 'temporarily_unavailable', 'invalid_client'],
  ...['invalid_grant', 'unsupported_grant_type', 'invalid_token', 'interaction_required'],
  ...['login_required', 'account_selection_required', 'consent_required'],
]);

/**
 * An error response of the OpenID Connect issuer, in a form that is safe to log (RFC 6749, sections 4.1.2.1 and 5.2).
 */
interface IssuerAnswer {
  /** A known error code, or `other` for an unknown code. */
  readonly kind: string;
  /** The fields `error` and `error_description` of the response, without control characters. */
  readonly text: string;
}

/**
 * Returns the issuer's error response, if `error` contains one. Returns undefined for all other
 * errors.
 */
export function answerIn(error: unknown): IssuerAnswer | undefined {
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) {
    return answer(error.error, error.error_description);
  }
  if (error instanceof WWWAuthenticateChallengeError) {
    const { error: name, error_description: description } = error.cause[0]?.parameters ?? {};
    return answer(name ?? 'invalid_client', description);
  }
  return undefined;
}

/**
 * Returns true if the token endpoint rejected the client id, the secret, or the authentication method. Keycloak returns
 * `unauthorized_client` where RFC 6749 (section 5.2) says `invalid_client`.
 */
export const isClientRejected = (error: unknown): boolean =>
  !(error instanceof AuthorizationResponseError) &&
  ['invalid_client', 'unauthorized_client'].includes(answerIn(error)?.kind ?? '');

const answer = (name: string, description: string | undefined): IssuerAnswer => ({
  kind: KNOWN_ERRORS.has(name) ? name : 'other',
  text: [name, description ?? ''].map(printable).filter(Boolean).join(': '),
});

const printable = (text: string): string =>
  cut(withoutControls(clean(text)).replaceAll(/\s+/g, ' ').trim(), MAX_LOGGED);

/**
 * Returns true if the network or the OpenID Connect issuer failed. Returns false if the browser sent an invalid
 * response.
 */
export const isOutage = (error: unknown): boolean =>
  codesOf(error).some((code) => OUTAGES.has(code)) ||
  (error instanceof ResponseBodyError && error.status >= 500);

const OUTAGES = new Set([
  ...['OAUTH_TIMEOUT', 'OAUTH_RESPONSE_IS_NOT_JSON', 'OAUTH_RESPONSE_IS_NOT_CONFORM'],
  ...['OAUTH_PARSE_ERROR', 'OAUTH_ABORT'],
  ...['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_SOCKET'],
  ...['EPROXY', 'ETIMEDOUT'],
]);

/** Returns the codes of an error and of its causes. */
export const codesOf = (error: unknown): string[] =>
  causesOf(error).flatMap((cause) =>
    'code' in cause && typeof cause.code === 'string' ? [cause.code] : [],
  );

const causesOf = (error: unknown): Error[] =>
  error instanceof Error ? [error, ...causesOf(error.cause)] : [];

/**
 * Returns a description of an error for the log. Omits the response of the issuer, because it may
 * contain a code or a token.
 */
export function reasonOf(error: unknown): string {
  const proxy = causesOf(error).find((cause) => cause instanceof ProxyError)?.message;
  const texts = error instanceof Error ? [error.message, ...codesOf(error)] : ['unknown'];
  return printable([...texts, ...(proxy === undefined ? [] : [`(${proxy})`])].join(' '));
}
