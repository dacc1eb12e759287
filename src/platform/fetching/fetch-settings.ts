/** What an administrator may set. */
export interface FetchSettings {
  readonly userAgent: string;
  readonly ports: ReadonlySet<number>;
  /** Local names are looked up, too, and allowed by their addresses. */
  readonly allowsNearbyNames: boolean;
  /** The address of the service itself, which is never fetched; undefined when that is not known. */
  readonly ownUrl?: URL | undefined;
  /** For the whole chain of redirects, names and bodies. */
  readonly deadlineMs: number;
  readonly maxRedirects: number;
  readonly maxHtmlBytes: number;
  /** Of a picture; its size stands at the beginning. */
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
  // The dimensions lie before the pixels, sometimes after a profile and a thumbnail.
  maxImageBytes: 262_144,
  maxBytes: 10_000_000,
});

/** The product and where its operator can be reached. */
export const userAgentOf = (version: string, contactUrl: string | undefined): string =>
  contactUrl === undefined ? `Satchel/${version}` : `Satchel/${version} (+${contactUrl})`;

/** How much is asked of a host at once, and whether it has asked for a pause. */
export interface HostLimits {
  /** Runs the request as soon as the host of the URL has a free slot; rejects when the signal is aborted before. */
  run<T>(url: URL, signal: AbortSignal, request: () => Promise<T>): Promise<T>;
  /** For how many seconds the host must not be asked; 0 when it may be. */
  remainingPause(url: URL): Promise<number>;
}

/** For fetches that are limited elsewhere. */
export const UNLIMITED: HostLimits = {
  run: (_url, _signal, request) => request(),
  remainingPause: () => Promise.resolve(0),
};
