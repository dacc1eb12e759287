/** What became of a fetch. What the network does is a value; only a fault of our own is thrown. */
export type FetchOutcome = FetchedPage | NotModified | Refused | Failed;

/** A document that was answered with a status of success. */
export interface FetchedPage {
  readonly kind: 'page';
  readonly route: Route;
  readonly status: number;
  readonly headers: PageHeaders;
  /** Lower case, without parameters; what the bytes are, where they tell. */
  readonly mimeType: string;
  /** Of the whole document, where it is known: what was announced, or what was read to its end. */
  readonly contentLength: number | undefined;
  /** Decoded of its content-encoding; the beginning only where `isTruncated`. */
  readonly body: Uint8Array;
  readonly isTruncated: boolean;
  readonly fetchedAtMs: number;
}

/** The document is the one whose validators were sent. */
export interface NotModified {
  readonly kind: 'not-modified';
  readonly route: Route;
  readonly headers: PageHeaders;
  readonly fetchedAtMs: number;
}

/** Nothing was asked of this address, for reasons that lie in the address. Trying again does not help. */
export interface Refused {
  readonly kind: 'refused';
  readonly reason: RefusalReason;
}

/** There is no document. `isTemporary` tells whether another try later may find one. */
export interface Failed {
  readonly kind: 'failed';
  readonly reason: FailureReason;
  readonly isTemporary: boolean;
  /** What the host asked for, with 429 and 503, or has still to rest. */
  readonly retryAfterSeconds: number | undefined;
  /** The final status that was no success; undefined when there was none. */
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
  /** The status of the redirecting answer, or the element of the redirecting page. */
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
 * `name`: not found in DNS; `connection`: refused or broken off; `tls`: no trust; `protocol`: no HTTP, or too much of it;
 * `encoding`: not decodable; `redirects`: too many, in a circle, or nowhere; `status`: see `status`; `rest`: the host that a
 * redirect leads to wants to be left alone; `cancelled`: by the caller.
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
