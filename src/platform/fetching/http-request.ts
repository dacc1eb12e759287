import type { Readable } from 'node:stream';

import type { Agent } from 'undici';

import { ACCEPTED_ENCODINGS } from './content-encoding.js';
import { ResponseTooLongError } from './fetch-errors.js';
import type { PageHeaders } from './fetch-outcome.js';
import { proxyAuthorization } from './proxy-rules.js';
import { PROXY_AUTHENTICATION_REQUIRED, refusalOf } from './proxy-tunnel.js';

const ACCEPT =
  'text/html,application/xhtml+xml,application/xml;q=0.9,application/pdf;q=0.9,image/*;q=0.8,*/*;q=0.7';
/**
 * The number of unread bytes of a response after which the HTTP parser of undici pauses. It is larger than the maximum
 * size of a document, so the parser never pauses. In undici 7, the parser fails if a response ends during a pause.
 */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024;
/**
 * The maximum number of informational responses (status 1xx) to one request. Real servers send at most one. The timeout
 * for headers does not stop a server that keeps sending informational responses.
 */
const MAX_INFORMATIONAL = 20;
/** Matches the value of an ETag or Last-Modified header that may be sent back to the server. */
const VALIDATOR = /^[\t\x20-\x7e]{1,1000}$/;

/**
 * The ETag and Last-Modified headers of the previous response for a document. If a request contains them and the
 * document has not changed, the server responds with status 304.
 */
export interface Validators {
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
}

/** The status, the headers and the unread body of a response. Informational responses (status 1xx) are skipped. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: PageHeaders;
  readonly location: string | undefined;
  readonly retryAfter: string | undefined;
  readonly contentEncoding: string | undefined;
  readonly contentLength: number | undefined;
  readonly body: Readable;
}

interface RequestOptions {
  /** The default is GET. */
  readonly method?: 'HEAD' | 'GET' | undefined;
  readonly agent: Agent;
  readonly signal: AbortSignal;
  readonly userAgent: string;
  readonly validators: Validators;
  /** The HTTP proxy that forwards the request. Undefined if the request uses a direct connection or a tunnel. */
  readonly proxy: URL | undefined;
}

/** Sends a GET or HEAD request that contains no data about the user. */
export async function sendRequest(
  url: URL,
  { agent, signal, proxy, method = 'GET', ...fields }: RequestOptions,
): Promise<HttpResponse> {
  const flood = new AbortController();
  let informational = 0;
  const { statusCode, headers, body } = await agent.request({
    origin: url.origin,
    path: `${proxy === undefined ? '' : url.origin}${url.pathname}${url.search}`,
    method,
    headers: { ...requestHeaders(fields), ...proxyHeaders(proxy) },
    highWaterMark: MAX_UNREAD_BYTES,
    signal: AbortSignal.any([signal, flood.signal]),
    onInfo: () => {
      informational += 1;
      if (informational > MAX_INFORMATIONAL) {
        flood.abort(new ResponseTooLongError('informational responses'));
      }
    },
  });
  if (proxy !== undefined && statusCode === PROXY_AUTHENTICATION_REQUIRED) {
    body.on('error', () => undefined).destroy();
    throw refusalOf(proxy, statusCode);
  }
  return { ...headOf(headers), status: statusCode, body };
}

function proxyHeaders(proxy: URL | undefined): Record<string, string> {
  const authorization = proxy && proxyAuthorization(proxy);
  return authorization === undefined ? {} : { 'proxy-authorization': authorization };
}

function requestHeaders({
  userAgent,
  validators,
}: Pick<RequestOptions, 'userAgent' | 'validators'>): Record<string, string> {
  const { etag = '', lastModified = '' } = validators;
  return {
    'user-agent': userAgent,
    accept: ACCEPT,
    'accept-encoding': ACCEPTED_ENCODINGS,
    ...(VALIDATOR.test(etag) && { 'if-none-match': etag }),
    ...(VALIDATOR.test(lastModified) && { 'if-modified-since': lastModified }),
  };
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

function headOf(headers: Headers): Omit<HttpResponse, 'status' | 'body'> {
  const first = (name: string): string | undefined => [headers[name] ?? []].flat()[0];
  return {
    headers: {
      contentType: first('content-type'),
      contentLanguage: first('content-language'),
      etag: first('etag'),
      lastModified: first('last-modified'),
    },
    location: first('location'),
    retryAfter: first('retry-after'),
    contentEncoding: contentEncodingOf(headers),
    contentLength: lengthOf(first('content-length')),
  };
}

/**
 * Joins the Content-Encoding headers of a response. A response with several such headers has a body with several
 * encodings.
 */
const contentEncodingOf = (headers: Headers): string | undefined =>
  headers['content-encoding'] === undefined
    ? undefined
    : [headers['content-encoding']].flat().join(',');

const lengthOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
