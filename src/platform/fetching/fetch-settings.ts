/** The settings for fetching pages and images. */
export interface FetchSettings {
  readonly userAgent: string;
  readonly ports: ReadonlySet<number>;
  /**
   * True if host names of the local machine and the local network are allowed. The IP address of
   * each host is still checked before a request.
   */
  readonly allowsNearbyNames: boolean;
  /** The address of this service, which is never fetched. Undefined if unknown. */
  readonly ownUrl?: URL | undefined;
  /** The time limit of a whole fetch, including redirects, DNS lookups and bodies. */
  readonly deadlineMs: number;
  readonly maxRedirects: number;
  readonly maxHtmlBytes: number;
  /**
   * The maximum number of bytes that are read of an image. The beginning of an image is enough, because it contains the
   * dimensions.
   */
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
  // Enough for the dimensions of an image, even after a color profile and a thumbnail.
  maxImageBytes: 262_144,
  maxBytes: 10_000_000,
});

/** Returns the User-Agent header with the product version and the contact address of the operator. */
export const userAgentOf = (version: string, contactUrl: string | undefined): string =>
  contactUrl === undefined ? `Satchel/${version}` : `Satchel/${version} (+${contactUrl})`;

/** Limits the number of parallel requests to each host, and stores the pauses that servers request. */
export interface HostLimits {
  /**
   * Runs the request as soon as its host has fewer running requests than the maximum. Rejects if the signal is aborted
   * before the request starts.
   */
  run<T>(url: URL, signal: AbortSignal, request: () => Promise<T>): Promise<T>;
  /** Returns the seconds until the host may be requested again, or 0 if it may be requested now. */
  remainingPause(url: URL): Promise<number>;
}

/** Has no limits per host, for fetches whose number is limited elsewhere. */
export const UNLIMITED: HostLimits = {
  run: (_url, _signal, request) => request(),
  remainingPause: () => Promise.resolve(0),
};
