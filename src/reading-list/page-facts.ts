/** What is known of the page behind an item, besides what its row says. */
export interface PageFacts {
  readonly normalUrl: string;
  readonly resolvedNormalUrl: string;
  /** Decimal text. */
  readonly domainId: string;
  readonly originDomainId: string;
  readonly responseCode: number;
  readonly mimeType: string;
  readonly contentLength: number;
  readonly encoding: string;
  readonly dateResolved: Date | null;
  readonly datePublished: Date | null;
  readonly timeFirstParsed: Date | null;
  /** The URL redirects within its own domain. */
  readonly isInnerDomainRedirect: boolean;
  readonly isLoginRequired: boolean;
  readonly usedFallback: boolean;
}

/** Before a page was ever read. */
export const unknownPage = (givenUrl: string): PageFacts => ({
  normalUrl: givenUrl,
  resolvedNormalUrl: givenUrl,
  domainId: '0',
  originDomainId: '0',
  responseCode: 0,
  mimeType: '',
  contentLength: 0,
  encoding: '',
  dateResolved: null,
  datePublished: null,
  timeFirstParsed: null,
  isInnerDomainRedirect: false,
  isLoginRequired: false,
  usedFallback: false,
});
