/** A saved page as the list keeps it; times are unix seconds, 0 is never. */
export interface ExportedItem {
  readonly itemId: string;
  readonly url: string;
  readonly givenTitle: string;
  readonly resolvedTitle: string;
  readonly prefersGivenTitle: boolean;
  readonly tags: readonly string[];
  readonly isArchived: boolean;
  readonly isFavorite: boolean;
  readonly timeAdded: number;
  readonly timeUpdated: number;
  readonly timeRead: number;
  readonly timeFavorited: number;
}

/** A passage that the person has marked. */
export interface ExportedAnnotation {
  readonly annotationId: string;
  readonly itemId: string;
  readonly quote: string;
  readonly patch: string;
  readonly version: string;
  readonly createdAt: number;
}

export interface AnnotatedItem {
  readonly item: ExportedItem;
  /** The oldest first. */
  readonly annotations: readonly ExportedAnnotation[];
}

/** What was found when the page of an item was read. */
export interface ExportedPage {
  readonly resolvedUrl: string;
  readonly title: string;
  readonly excerpt: string;
  readonly lang: string;
  readonly wordCount: number;
  readonly topImageUrl: string;
  readonly authors: readonly { readonly name: string; readonly url: string }[];
  /** HTML that is safe to show; undefined for a page that is no article. */
  readonly article: string | undefined;
}

/** Everything of one person that leaves with an export; every walk begins anew and sees the same. */
export interface Library {
  newestFirst(): AsyncIterable<ExportedItem>;
  /** The oldest first. */
  annotatedItems(): AsyncIterable<AnnotatedItem>;
  /** Undefined for an item whose page was not read. */
  page(itemId: string): Promise<ExportedPage | undefined>;
}
