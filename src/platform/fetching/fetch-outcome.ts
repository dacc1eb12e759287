/** The outcome of fetching a page. A failure of the network is an outcome too: only programming errors are thrown. */
export type FetchOutcome = FetchedPage | NotModified | Refused | Failed;

/** A document that the server returned with a success status. */
export interface FetchedPage {
  readonly kind: 'page';
  readonly route: Route;
  readonly status: number;
  readonly headers: PageHeaders;
  /** The MIME type in lower case, without parameters. Detected from the bytes if possible. */
  readonly mimeType: string;
  /**
   * The length of the complete document in bytes. It comes from the Content-Length header, or from the body if the
   * whole body was read. Undefined if unknown.
   */
  readonly contentLength: number | undefined;
  /** The decoded body, or only its beginning if `isTruncated` is true. */
  readonly body: Uint8Array;
  readonly isTruncated: boolean;
  readonly fetchedAtMs: number;
}

/** The document has not changed since the previous fetch, because its ETag or Last-Modified date is the same. */
interface NotModified {
  readonly kind: 'not-modified';
  readonly route: Route;
  readonly headers: PageHeaders;
  readonly fetchedAtMs: number;
}

/** The URL must not be fetched, so a retry does not help. */
interface Refused {
  readonly kind: 'refused';
  readonly reason: RefusalReason;
}

/** The fetch returned no document. `isTemporary` is true if a later attempt may return one. */
export interface Failed {
  readonly kind: 'failed';
  readonly reason: FailureReason;
  readonly isTemporary: boolean;
  /**
   * The number of seconds to wait before a retry. The server has requested this pause with status 429 or 503, in the
   * response to this request or to an earlier one.
   */
  readonly retryAfterSeconds: number | undefined;
  /** The status of the last response if it is not a success. Undefined if there was no response. */
  readonly status: number | undefined;
  /**
   * The beginning of the body of a response with status 403, if it is HTML. It shows whether the page needs a login, or
   * whether the server rejects programs.
   */
  readonly notice?: Uint8Array | undefined;
  readonly route: Route;
}

/** The final URL of a document, and the redirects that lead to it. */
export interface Route {
  readonly finalUrl: string;
  readonly redirects: readonly Redirect[];
  /** True if there was at least one redirect, and all redirects stayed on the same registrable domain. */
  readonly isInnerDomainRedirect: boolean;
}

export interface Redirect {
  /** The URL to which the redirect points. */
  readonly url: string;
  /** The status of the redirecting response, or `meta-refresh` if the HTML of the page contains the redirect. */
  readonly by: number | 'meta-refresh';
}

/** Response headers as the server sent them. A missing header is undefined. */
export interface PageHeaders {
  readonly contentType: string | undefined;
  readonly contentLanguage: string | undefined;
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
}

/**
 * The reason why a URL must not be fetched. `userinfo` means that a redirect target contains a user name or password,
 * and `own` means that the URL belongs to this service.
 */
export type RefusalReason = 'url' | 'userinfo' | 'scheme' | 'port' | 'host' | 'own' | 'not-public';

/**
 * The reason why a fetch failed.
 * - `name`: DNS does not know the host.
 * - `connection`: the connection was rejected or broken.
 * - `tls`: the certificate is not trusted.
 * - `protocol`: the response is invalid HTTP or too long.
 * - `encoding`: the body cannot be decoded.
 * - `redirects`: there are too many redirects, a loop, or a redirect without a target.
 * - `status`: the status is not a success.
 * - `rest`: the server of a redirect target has requested a pause.
 * - `cancelled`: the caller cancelled the fetch.
 */
export type FailureReason =
  | 'name'
  | 'connection'
  | 'timeout'
  | 'tls'
  | 'protocol'
  | 'encoding'
  | 'redirects'
  | 'status'
  | 'rest'
  | 'cancelled';
