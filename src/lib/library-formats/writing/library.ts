import type { PassageRange } from '../format.js';

/** A saved page as the list keeps it; times are unix seconds, 0 is never. */
export interface ExportedItem {
  readonly itemId: string;
  readonly url: string;
  /** What is shown of the item: a title, the URL while there is none. */
  readonly shownTitle: string;
  /** The title that was given or, for when the page is gone, that of the page; empty while there is none. */
  readonly title: string;
  readonly prefersGivenTitle: boolean;
  readonly tags: readonly string[];
  readonly isArchived: boolean;
  readonly isFavorite: boolean;
  readonly timeAdded: number;
  readonly timeUpdated: number;
  readonly timeRead: number;
  readonly timeFavorited: number;
  /** By which clients know it that hold ids of 31 bits. */
  readonly number: number;
  /** What the user wrote about the page, empty if nothing. */
  readonly note: string;
}

/** A passage that the user has marked. */
export interface ExportedAnnotation {
  readonly annotationId: string;
  readonly quote: string;
  readonly patch: string;
  readonly version: string;
  readonly note: string;
  /** Null where clients have told none. */
  readonly ranges: readonly PassageRange[] | null;
  readonly createdAt: number;
}

/** What a client said about the page of an item. Null: nothing. */
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
  /** The oldest first. */
  readonly annotations: readonly ExportedAnnotation[];
  readonly details?: ExportedDetails | undefined;
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

/** Everything of one user that an export holds; each iteration begins anew and sees the same. */
export interface Library {
  newestFirst(): AsyncIterable<ExportedItem>;
  /** The oldest first. */
  annotatedItems(): AsyncIterable<AnnotatedItem>;
  /** Undefined for an item whose page was not read. */
  page(itemId: string): Promise<ExportedPage | undefined>;
}

/** In UTF-16 units: few writes, little memory. */
const CHUNK_LENGTH = 64 * 1024;

/** The same text in pieces that are worth a write. */
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
