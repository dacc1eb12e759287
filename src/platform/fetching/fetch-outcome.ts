/** The outcome of a fetch. Failures of the network are values; only programming errors are thrown. */
export type FetchOutcome = FetchedPage | NotModified | Refused | Failed;

/** A document that came with a status of success. */
export interface FetchedPage {
  readonly kind: 'page';
  readonly route: Route;
  readonly status: number;
  readonly headers: PageHeaders;
  /** Lower case, without parameters; what the bytes are, where they tell. */
  readonly mimeType: string;
  /** Of the whole document, where it is known: from the header, or because it was read to its end. */
  readonly contentLength: number | undefined;
  /** Decoded of its content-encoding; the beginning only where `isTruncated`. */
  readonly body: Uint8Array;
  readonly isTruncated: boolean;
  readonly fetchedAtMs: number;
}

/** The document is the one whose validators were sent. */
interface NotModified {
  readonly kind: 'not-modified';
  readonly route: Route;
  readonly headers: PageHeaders;
  readonly fetchedAtMs: number;
}

/** The URL may not be fetched, and trying again does not help. */
interface Refused {
  readonly kind: 'refused';
  readonly reason: RefusalReason;
}

/** There is no document. `isTemporary` tells whether a later attempt may get one. */
export interface Failed {
  readonly kind: 'failed';
  readonly reason: FailureReason;
  readonly isTemporary: boolean;
  /** The pause that the host asked for with 429 or 503, now or earlier. */
  readonly retryAfterSeconds: number | undefined;
  /** The final status, if it was no success; undefined without a response. */
  readonly status: number | undefined;
  readonly route: Route;
}

/** How the document was reached. */
export interface Route {
  readonly finalUrl: string;
  readonly redirects: readonly Redirect[];
  /** There were redirects, and all of them within one registrable domain. */
  readonly isInnerDomainRedirect: boolean;
}

export interface Redirect {
  /** Where it led. */
  readonly url: string;
  /** The status of the redirecting response, or the element of the redirecting page. */
  readonly by: number | 'meta-refresh';
}

/** As they were sent; undefined when absent. */
export interface PageHeaders {
  readonly contentType: string | undefined;
  readonly contentLanguage: string | undefined;
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
}

/** `userinfo`: a redirect to an address with a name or a password in it; `own`: the service itself. */
export type RefusalReason = 'url' | 'userinfo' | 'scheme' | 'port' | 'host' | 'own' | 'not-public';

/**
 * `name`: not found in DNS; `connection`: refused or broken; `tls`: not trusted; `protocol`: no valid HTTP, or too long;
 * `encoding`: not decodable; `redirects`: too many, a loop, or no target; `status`: see `status`; `rest`: the host that a
 * redirect leads to has asked for a pause; `cancelled`: by the caller.
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
