/** Settings for fetching documents. */
export interface FetchSettings {
  readonly userAgent: string;
  readonly ports: ReadonlySet<number>;
  /** True if local names are resolved too. Their addresses decide whether they may be fetched. */
  readonly allowsNearbyNames: boolean;
  /** The address of the service itself, which is never fetched; undefined if unknown. */
  readonly ownUrl?: URL | undefined;
  /** The time limit of a whole fetch: redirects, name lookups and bodies. */
  readonly deadlineMs: number;
  readonly maxRedirects: number;
  readonly maxHtmlBytes: number;
  /** For images, whose dimensions are at the beginning. */
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
  // The dimensions precede the pixels, sometimes after a profile and a thumbnail.
  maxImageBytes: 262_144,
  maxBytes: 10_000_000,
});

/** Returns the User-Agent header with the product and the contact of its operator. */
export const userAgentOf = (version: string, contactUrl: string | undefined): string =>
  contactUrl === undefined ? `Satchel/${version}` : `Satchel/${version} (+${contactUrl})`;

/** Limits concurrent requests to a host, and reports the pauses that hosts requested. */
export interface HostLimits {
  /** Runs the request as soon as the host of the URL has a free slot. Rejects if the signal is aborted before. */
  run<T>(url: URL, signal: AbortSignal, request: () => Promise<T>): Promise<T>;
  /** Returns for how many seconds no request may be sent to the host; 0 if one may be sent now. */
  remainingPause(url: URL): Promise<number>;
}

/** For fetches that are limited elsewhere. */
export const UNLIMITED: HostLimits = {
  run: (_url, _signal, request) => request(),
  remainingPause: () => Promise.resolve(0),
};
