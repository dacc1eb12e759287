/** Settings for fetching documents. */
export interface FetchSettings {
  readonly userAgent: string;
  readonly ports: ReadonlySet<number>;
  /**
   * True if names of local hosts are resolved too. The service then checks the address of such a host before a fetch.
   */
  readonly allowsNearbyNames: boolean;
  /** The address of the service itself, which is never fetched. Undefined if unknown. */
  readonly ownUrl?: URL | undefined;
  /** The time limit of a whole fetch, including redirects, name lookups and bodies. */
  readonly deadlineMs: number;
  readonly maxRedirects: number;
  readonly maxHtmlBytes: number;
  /** The maximum number of bytes of an image. The dimensions are at the beginning of an image. */
  readonly maxImageBytes: number;
  readonly maxBytes: number;
}

export const DEFAULT_FETCH_SETTINGS: FetchSettings = Object.freeze({
  userAgent: 'Satchel',
  ports: new Set([80, 443]),
  allowsNearbyNames: false,
  deadlineMs: 8000,
  maxRedirects: 5,
  maxHtmlBytes: 5_000_000,
  // The dimensions are before the pixels. A profile and a thumbnail may be before the dimensions.
  maxImageBytes: 262_144,
  maxBytes: 10_000_000,
});

/** Returns the User-Agent header, which contains the product and the contact address of the operator. */
export const userAgentOf = (version: string, contactUrl: string | undefined): string =>
  contactUrl === undefined ? `Satchel/${version}` : `Satchel/${version} (+${contactUrl})`;

/** Limits concurrent requests to a host, and reports the pauses that hosts requested. */
export interface HostLimits {
  /**
   * Runs the request as soon as the host of the URL has a free slot. Rejects if the signal is aborted before the
   * request starts.
   */
  run<T>(url: URL, signal: AbortSignal, request: () => Promise<T>): Promise<T>;
  /** Returns the seconds until a request may be sent to the host. 0 if a request may be sent now. */
  remainingPause(url: URL): Promise<number>;
}

/** Sets no limits, for fetches that other code limits. */
export const UNLIMITED: HostLimits = {
  run: (_url, _signal, request) => request(),
  remainingPause: () => Promise.resolve(0),
};
