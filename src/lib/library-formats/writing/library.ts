import type { PassageRange } from '../format.js';

/** A saved page as the list stores it. Times are in unix seconds, and 0 means never. */
export interface ExportedItem {
  readonly itemId: string;
  readonly url: string;
  /** The title that is shown for the item, or its URL if the item has no title. */
  readonly shownTitle: string;
  /**
   * The title that the user or a client gave the item, or otherwise the title of the page. The page may be gone at the
   * next import. Empty if both titles are missing.
   */
  readonly title: string;
  readonly prefersGivenTitle: boolean;
  readonly tags: readonly string[];
  readonly isArchived: boolean;
  readonly isFavorite: boolean;
  readonly timeAdded: number;
  readonly timeUpdated: number;
  readonly timeRead: number;
  readonly timeFavorited: number;
  /** The 31-bit id of the item for clients that need numbers. */
  readonly number: number;
  /** The user's note about the page. Empty if the page has no note. */
  readonly note: string;
}

/** A highlight of the user. */
export interface ExportedAnnotation {
  readonly annotationId: string;
  readonly quote: string;
  readonly patch: string;
  readonly version: string;
  readonly note: string;
  /** The ranges of the highlight in the article. Null if no client sent ranges. */
  readonly ranges: readonly PassageRange[] | null;
  readonly createdAt: number;
}

/** Details that a client sent about the page of an item. A field is null if the client did not send it. */
export interface ExportedDetails {
  readonly originUrl: string | null;
  /** The publication time of the page in unix seconds. */
  readonly publishedAt: number | null;
  readonly authors: readonly string[] | null;
  readonly language: string | null;
  readonly previewPicture: string | null;
}

export interface AnnotatedItem {
  readonly item: ExportedItem;
  /** The annotations of the item. The oldest annotation is first. */
  readonly annotations: readonly ExportedAnnotation[];
  readonly details?: ExportedDetails | undefined;
}

/** Data that Satchel extracted from the page of an item. */
export interface ExportedPage {
  readonly resolvedUrl: string;
  readonly title: string;
  readonly excerpt: string;
  readonly lang: string;
  readonly wordCount: number;
  readonly topImageUrl: string;
  readonly authors: readonly { readonly name: string; readonly url: string }[];
  /** The article as HTML that is safe to show. Undefined if the page is not an article. */
  readonly article: string | undefined;
}

/** All data of one user for an export. Each iteration starts from the beginning and yields the same data. */
export interface Library {
  newestFirst(): AsyncIterable<ExportedItem>;
  /** Yields the items with their annotations. The oldest item is first. */
  annotatedItems(): AsyncIterable<AnnotatedItem>;
  /** Returns the page of an item. Returns undefined if the page was not fetched. */
  page(itemId: string): Promise<ExportedPage | undefined>;
}

/** The length of a chunk in UTF-16 units. Chunks of this length need few writes and little memory. */
const CHUNK_LENGTH = 64 * 1024;

/** Joins texts into large chunks, so that few writes are necessary. */
export async function* inChunks(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = '';
  for await (const text of texts) {
    chunk += text;
    if (chunk.length >= CHUNK_LENGTH) {
      yield chunk;
      chunk = '';
    }
  }
  if (chunk !== '') {
    yield chunk;
  }
}
