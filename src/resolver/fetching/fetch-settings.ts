/** What an administrator may set. */
export interface FetchSettings {
  readonly userAgent: string;
  readonly ports: ReadonlySet<number>;
  /** Names of machines nearby are asked for their addresses, which decide. */
  readonly allowsNearbyNames: boolean;
  /** Where the service itself is reached, which nothing is fetched from; undefined when that is not known. */
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

/** A name with an address where the operator can be reached. */
export const userAgentOf = (version: string, contactUrl: string | undefined): string =>
  contactUrl === undefined ? `Satchel/${version}` : `Satchel/${version} (+${contactUrl})`;
