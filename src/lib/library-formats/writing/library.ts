import type { PassageRange } from '../format.js';

/** A saved page as the list stores it. Times are in unix seconds; 0 means never. */
export interface ExportedItem {
  readonly itemId: string;
  readonly url: string;
  /** The title that is shown for the item. The URL if there is no title. */
  readonly shownTitle: string;
  /** The given title. Without one, the title of the page, in case the page is gone. Empty if both are missing. */
  readonly title: string;
  readonly prefersGivenTitle: boolean;
  readonly tags: readonly string[];
  readonly isArchived: boolean;
  readonly isFavorite: boolean;
  readonly timeAdded: number;
  readonly timeUpdated: number;
  readonly timeRead: number;
  readonly timeFavorited: number;
  /** The 31-bit id by which some clients know the item. */
  readonly number: number;
  /** The user's note about the page. Empty if there is none. */
  readonly note: string;
}

/** A highlight of the user. */
export interface ExportedAnnotation {
  readonly annotationId: string;
  readonly quote: string;
  readonly patch: string;
  readonly version: string;
  readonly note: string;
  /** Null if no client sent ranges. */
  readonly ranges: readonly PassageRange[] | null;
  readonly createdAt: number;
}

/** Details that a client sent about the page of an item. Null if the client did not send the field. */
export interface ExportedDetails {
  readonly originUrl: string | null;
  /** In unix seconds. */
  readonly publishedAt: number | null;
  readonly authors: readonly string[] | null;
  readonly language: string | null;
  readonly previewPicture: string | null;
}

export interface AnnotatedItem {
  readonly item: ExportedItem;
  /** Oldest first. */
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
  /** HTML that is safe to show. Undefined if the page is not an article. */
  readonly article: string | undefined;
}

/** All data of one user for an export. Each iteration starts again and yields the same data. */
export interface Library {
  newestFirst(): AsyncIterable<ExportedItem>;
  /** Oldest first. */
  annotatedItems(): AsyncIterable<AnnotatedItem>;
  /** Returns undefined if the page of the item was not fetched. */
  page(itemId: string): Promise<ExportedPage | undefined>;
}

/** In UTF-16 units. Needs few writes and little memory. */
const CHUNK_LENGTH = 64 * 1024;

/** Joins texts into chunks that are large enough for a write. */
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
