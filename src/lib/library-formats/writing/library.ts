import type { HighlightColor } from '../../util/highlight-color.js';
import type { PassageRange } from '../format.js';

/**
 * An item of a user's list with the data that is exported. Times are in unix seconds. A time is 0 if its event, such as
 * marking the item as a favorite, has not happened.
 */
export interface ExportedItem {
  readonly itemId: string;
  readonly url: string;
  /** The title that lists show for the item. It is the URL if no title is known. */
  readonly shownTitle: string;
  /**
   * The title that the user or a client has set, or otherwise the title of the page. Empty if both titles are missing.
   * The title of the page is exported, because the page may no longer exist at the time of an import.
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
  /** The number of the item (a 31-bit id for clients that need short ids, such as wallabag apps). */
  readonly number: number;
  /** The note of the user about the page. Empty if there is none. */
  readonly note: string;
}

/** A highlight of the user in an article. */
export interface ExportedAnnotation {
  readonly annotationId: string;
  readonly quote: string;
  readonly patch: string;
  readonly version: string;
  readonly note: string;
  /**
   * The highlighted ranges of the article. Null if the client that created the highlight sent no
   * ranges.
   */
  readonly ranges: readonly PassageRange[] | null;
  readonly createdAt: number;
  readonly color: HighlightColor;
}

/**
 * The details of an item's page, such as its author. Clients send these details. A field is null if no client has sent
 * it.
 */
export interface ExportedDetails {
  readonly originUrl: string | null;
  /** The time at which the page was published, in unix seconds. */
  readonly publishedAt: number | null;
  readonly authors: readonly string[] | null;
  readonly language: string | null;
  readonly previewPicture: string | null;
}

export interface AnnotatedItem {
  readonly item: ExportedItem;
  /** The annotations of the item, the oldest first. */
  readonly annotations: readonly ExportedAnnotation[];
  readonly details?: ExportedDetails | undefined;
}

/** The data that Satchel has extracted from the page of an item. */
export interface ExportedPage {
  readonly resolvedUrl: string;
  readonly title: string;
  readonly excerpt: string;
  readonly lang: string;
  readonly wordCount: number;
  readonly topImageUrl: string;
  readonly authors: readonly { readonly name: string; readonly url: string }[];
  /** The article of the page as HTML that is safe to show. Undefined if the page has no article. */
  readonly article: string | undefined;
}

/** A view of the items that the user has saved under a name. */
export interface ExportedList {
  readonly name: string;
  /** The parameters of the view by name. */
  readonly conditions: Readonly<Record<string, string>>;
  readonly isPinned: boolean;
  readonly feed: 'excerpts' | 'articles' | null;
  readonly isShelf: boolean;
  /** The actions on new items that match the list. Undefined if the list has no rule. */
  readonly rule?: ExportedRule | undefined;
}

/** The rule of a saved list. */
export interface ExportedRule {
  readonly actions: {
    readonly tags?: readonly string[];
    readonly archive?: true;
    readonly favorite?: true;
    readonly eReader?: true;
  };
  readonly isOn: boolean;
}

/** The items of one user, for an export. Each iteration yields the same data. */
export interface Library {
  newestFirst(): AsyncIterable<ExportedItem>;
  /** Yields the items with their annotations, the oldest item first. */
  annotatedItems(): AsyncIterable<AnnotatedItem>;
  /** Returns the saved lists of the user in their order. */
  savedLists(): Promise<readonly ExportedList[]>;
  /** Returns the extracted data of an item's page. Returns undefined if the page has not been fetched. */
  page(itemId: string): Promise<ExportedPage | undefined>;
}

/**
 * The length of the chunks in which an export is written, in UTF-16 units. Longer chunks need fewer writes, but more
 * memory.
 */
const CHUNK_LENGTH = 64 * 1024;

/** Joins the texts of an export into large chunks, so that the export needs only few writes. */
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
