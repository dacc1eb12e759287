/** The outcome of a fetch. A failure of the network is a value, and only programming errors are thrown. */
export type FetchOutcome = FetchedPage | NotModified | Refused | Failed;

/** A document with a success status. */
export interface FetchedPage {
  readonly kind: 'page';
  readonly route: Route;
  readonly status: number;
  readonly headers: PageHeaders;
  /** The type in lower case, without parameters. Detected from the bytes if possible. */
  readonly mimeType: string;
  /**
   * The length of the whole document, from the header or from reading the document to its end. Undefined if unknown.
   */
  readonly contentLength: number | undefined;
  /** The decoded body. If `isTruncated` is true, only the beginning of the body. */
  readonly body: Uint8Array;
  readonly isTruncated: boolean;
  readonly fetchedAtMs: number;
}

/** The document has not changed: it still matches the validators of the request. */
interface NotModified {
  readonly kind: 'not-modified';
  readonly route: Route;
  readonly headers: PageHeaders;
  readonly fetchedAtMs: number;
}

/** The URL must not be fetched. A retry does not help. */
interface Refused {
  readonly kind: 'refused';
  readonly reason: RefusalReason;
}

/** The fetch returned no document. `isTemporary` is true if a later attempt may return a document. */
export interface Failed {
  readonly kind: 'failed';
  readonly reason: FailureReason;
  readonly isTemporary: boolean;
  /** The pause that the host requested with a status of 429 or 503, in this response or in an earlier response. */
  readonly retryAfterSeconds: number | undefined;
  /** The final status, if the status is not a success. Undefined without a response. */
  readonly status: number | undefined;
  readonly route: Route;
}

/** The final URL of a document, and the redirects to this URL. */
export interface Route {
  readonly finalUrl: string;
  readonly redirects: readonly Redirect[];
  /** True if the fetch had redirects, and all URLs have the same registrable domain. */
  readonly isInnerDomainRedirect: boolean;
}

export interface Redirect {
  /** The target of the redirect. */
  readonly url: string;
  /** The status of the response that redirects, or `meta-refresh` if an element of a page redirects. */
  readonly by: number | 'meta-refresh';
}

/** Headers with the values that the server sent. An absent header is undefined. */
export interface PageHeaders {
  readonly contentType: string | undefined;
  readonly contentLanguage: string | undefined;
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
}

/**
 * The reason why a URL must not be fetched. `userinfo`: a redirect to a URL with a user name or password. `own`: the
 * URL of the service itself.
 */
export type RefusalReason = 'url' | 'userinfo' | 'scheme' | 'port' | 'host' | 'own' | 'not-public';

/**
 * The reason why a fetch failed.
 * - `name`: the host is not found in DNS.
 * - `connection`: the connection is rejected or broken.
 * - `tls`: the certificate is not trusted.
 * - `protocol`: the response is invalid HTTP or too long.
 * - `encoding`: the body cannot be decoded.
 * - `redirects`: there are too many redirects, a loop, or a redirect without a target.
 * - `status`: the status is not a success.
 * - `rest`: the host of a redirect target requested a pause.
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
