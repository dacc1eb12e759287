import type { EntityManager } from 'typeorm';

import { decompressedText } from '../../common/compressed-text.js';
import { queryRows } from '../../database/query-rows.js';
import type {
  AnnotatedItem,
  ExportedAnnotation,
  ExportedItem,
  ExportedPage,
  Library,
} from '../../library-formats/writing/library.js';
import type { ItemMedia } from '../../reading-list/entities/item.entity.js';
import { givenTitle, type ItemTexts, shownTitle } from '../../reading-list/list/item-texts.js';
import {
  ANNOTATED,
  ANNOTATIONS,
  type ExportedRow,
  NEWEST_FIRST,
  OLDEST_FIRST,
  PAGE,
} from './stored-library.sql.js';

/** Before and beyond every row. */
const LOWEST = '-9223372036854775808';
const HIGHEST = '9223372036854775807';

interface AnnotationColumns extends Record<string, unknown> {
  readonly annotation_id: string;
  readonly quote: string;
  readonly patch: string;
  readonly version: string;
  readonly created_at: string;
}

interface PageColumns extends Record<string, unknown> {
  readonly resolved_url: string;
  readonly resolved_title: string;
  readonly excerpt: string;
  readonly lang: string;
  readonly word_count: number;
  readonly top_image_url: string;
  readonly media: ItemMedia | null;
  /** Compressed. */
  readonly article: Buffer | null;
}

/** The library of one user, read through one connection page by page, each page from an index, however long the list is. */
export class StoredLibrary implements Library {
  constructor(
    private readonly manager: EntityManager,
    private readonly userId: string,
  ) {}

  async *newestFirst(): AsyncGenerator<ExportedItem> {
    for await (const rows of this.pages(NEWEST_FIRST, HIGHEST)) {
      yield* rows.map(itemOf);
    }
  }

  /** Holds the annotations of one item at a time. */
  async *annotatedItems(): AsyncGenerator<AnnotatedItem> {
    for await (const rows of this.pages(OLDEST_FIRST, LOWEST)) {
      const annotated = await this.annotated(rows.map(({ item_id }) => item_id));
      for (const row of rows) {
        const annotations = annotated.has(row.item_id) ? await this.annotations(row.item_id) : [];
        yield { item: itemOf(row), annotations };
      }
    }
  }

  async page(itemId: string): Promise<ExportedPage | undefined> {
    const [row] = await this.rows<PageColumns>(PAGE, itemId);
    return row && pageOf(row);
  }

  /** Those of the items that have annotations. */
  private async annotated(itemIds: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.rows<{ item_id: string }>(ANNOTATED, itemIds);
    return new Set(rows.map(({ item_id }) => item_id));
  }

  /** The oldest first. */
  private async annotations(itemId: string): Promise<ExportedAnnotation[]> {
    return (await this.rows<AnnotationColumns>(ANNOTATIONS, itemId)).map(annotationOf);
  }

  /** Each page begins after the last row of the one before. */
  private async *pages(text: string, start: string): AsyncGenerator<ExportedRow[]> {
    let key = [start, start];
    for (;;) {
      const rows = await this.rows<ExportedRow>(text, ...key);
      const last = rows.at(-1);
      if (last === undefined) {
        return;
      }
      yield rows;
      key = [last.added_order, last.item_id];
    }
  }

  private rows<Row extends Record<string, unknown>>(
    text: string,
    ...values: readonly unknown[]
  ): Promise<Row[]> {
    return queryRows<Row>(this.manager, text, [this.userId, ...values]);
  }
}

const itemOf = (row: ExportedRow): ExportedItem => ({
  itemId: row.item_id,
  url: row.given_url,
  ...titlesOf({
    givenUrl: row.given_url,
    givenTitle: row.given_title,
    resolvedTitle: row.resolved_title,
    prefersGivenTitle: row.prefers_given_title,
  }),
  prefersGivenTitle: row.prefers_given_title,
  tags: row.tags,
  isArchived: row.status === 1,
  isFavorite: row.favorite === 1,
  timeAdded: Number(row.time_added),
  timeUpdated: Number(row.time_updated),
  timeRead: Number(row.time_read),
  timeFavorited: Number(row.time_favorited),
});

/** The title of the page, so that it is not lost when the page no longer exists at the time of an import. */
export const titlesOf = (
  texts: Omit<ItemTexts, 'resolvedUrl'>,
): Pick<ExportedItem, 'shownTitle' | 'title'> => ({
  shownTitle: shownTitle(texts),
  title: texts.givenTitle || (givenTitle(texts.resolvedTitle) ?? ''),
});

const annotationOf = (row: AnnotationColumns): ExportedAnnotation => ({
  annotationId: row.annotation_id,
  quote: row.quote,
  patch: row.patch,
  version: row.version,
  createdAt: Number(row.created_at),
});

const pageOf = async (row: PageColumns): Promise<ExportedPage> => ({
  resolvedUrl: row.resolved_url,
  title: row.resolved_title,
  excerpt: row.excerpt,
  lang: row.lang,
  wordCount: row.word_count,
  topImageUrl: row.top_image_url,
  authors: (row.media?.authors ?? []).map(({ name, url }) => ({ name, url })),
  article: row.article === null ? undefined : await decompressedText(row.article),
});
