/** The outcome of a fetch. Failures of the network are values; only programming errors are thrown. */
export type FetchOutcome = FetchedPage | NotModified | Refused | Failed;

/** A document with a success status. */
export interface FetchedPage {
  readonly kind: 'page';
  readonly route: Route;
  readonly status: number;
  readonly headers: PageHeaders;
  /** In lower case, without parameters. Detected from the bytes if possible. */
  readonly mimeType: string;
  /** The length of the whole document, from the header or from a complete read. Undefined if unknown. */
  readonly contentLength: number | undefined;
  /** The decoded body. Only its beginning if `isTruncated`. */
  readonly body: Uint8Array;
  readonly isTruncated: boolean;
  readonly fetchedAtMs: number;
}

/** The document still matches the validators that were sent. */
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

/** There is no document. `isTemporary` is true if a later attempt may get one. */
export interface Failed {
  readonly kind: 'failed';
  readonly reason: FailureReason;
  readonly isTemporary: boolean;
  /** The pause that the host requested with 429 or 503, now or earlier. */
  readonly retryAfterSeconds: number | undefined;
  /** The final status if it is not a success; undefined without a response. */
  readonly status: number | undefined;
  readonly route: Route;
}

/** The way to the document. */
export interface Route {
  readonly finalUrl: string;
  readonly redirects: readonly Redirect[];
  /** True if there were redirects, and all stayed within one registrable domain. */
  readonly isInnerDomainRedirect: boolean;
}

export interface Redirect {
  /** The target of the redirect. */
  readonly url: string;
  /** The status of the redirecting response, or the element of the redirecting page. */
  readonly by: number | 'meta-refresh';
}

/** Headers as the server sent them; undefined if absent. */
export interface PageHeaders {
  readonly contentType: string | undefined;
  readonly contentLanguage: string | undefined;
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
}

/** `userinfo`: a redirect to a URL with a user name or password; `own`: the service itself. */
export type RefusalReason = 'url' | 'userinfo' | 'scheme' | 'port' | 'host' | 'own' | 'not-public';

/**
 * `name`: not found in DNS; `connection`: rejected or broken; `tls`: not trusted; `protocol`: invalid HTTP, or too
 * long; `encoding`: not decodable; `redirects`: too many, a loop, or without a target; `status`: see `status`; `rest`:
 * the host of a redirect target requested a pause; `cancelled`: cancelled by the caller.
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
