/** A page that this instance reads, and nobody else until the lease ends. */
export interface PageClaim {
  readonly pageId: string;
  readonly lease: string;
  /** Whose request it answers first: it is parsed in this user's turn. */
  readonly userId: string;
  readonly url: string;
  readonly host: string;
  /** This one included. */
  readonly attempts: number;
  /** Where it was found the last time; the validators are of that document. */
  readonly resolvedUrl: string | undefined;
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
  /** Somebody else has read it meanwhile: there is nothing to fetch. */
  readonly isFresh: boolean;
}
