import type { EntityManager } from 'typeorm';

import { run } from '../../database/statements.js';
import type { AnnotatedItem, ExportedAnnotation, ExportedItem } from './exported-item.js';

/** As many as are held in memory at once, without their annotations, which may be large. */
const ITEMS_AT_ONCE = 1000;

const ITEMS = `
    SELECT item_id, given_url, given_title, resolved_title, prefers_given_title, tags, status, favorite, time_added,
      time_updated, time_read, time_favorited, added_order
    FROM items`;

const OLDEST_FIRST = `${ITEMS} WHERE user_id = $1 AND (added_order, item_id) > ($2, $3)
    ORDER BY added_order, item_id LIMIT ${ITEMS_AT_ONCE}`;

const NEWEST_FIRST = `${ITEMS} WHERE user_id = $1 AND (added_order, item_id) < ($2, $3)
    ORDER BY added_order DESC, item_id DESC LIMIT ${ITEMS_AT_ONCE}`;

const ANNOTATED = `SELECT DISTINCT item_id FROM annotations WHERE user_id = $1 AND item_id = ANY ($2::bigint[])`;

const ANNOTATIONS = `
    SELECT annotation_id, item_id, quote, patch, version, created_at FROM annotations
    WHERE user_id = $1 AND item_id = $2 ORDER BY created_at, annotation_id`;

/** Before and beyond every row. */
const LOWEST = '-9223372036854775808';
const HIGHEST = '9223372036854775807';

interface ItemColumns extends Record<string, unknown> {
  readonly item_id: string;
  readonly given_url: string;
  readonly given_title: string;
  readonly resolved_title: string;
  readonly prefers_given_title: boolean;
  readonly tags: readonly string[];
  readonly status: number;
  readonly favorite: number;
  readonly time_added: string;
  readonly time_updated: string;
  readonly time_read: string;
  readonly time_favorited: string;
  readonly added_order: string;
}

interface AnnotationColumns extends Record<string, unknown> {
  readonly annotation_id: string;
  readonly item_id: string;
  readonly quote: string;
  readonly patch: string;
  readonly version: string;
  readonly created_at: string;
}

/** Reads the rows of one person page by page, each page from an index, however long the list is. */
export class ItemRows {
  constructor(
    private readonly manager: EntityManager,
    private readonly userId: string,
  ) {}

  /** Holds the annotations of one item at a time. */
  async *oldestFirst(): AsyncGenerator<AnnotatedItem> {
    for await (const rows of this.pages(OLDEST_FIRST, LOWEST)) {
      const annotated = await this.annotated(rows.map(({ item_id }) => item_id));
      for (const row of rows) {
        const annotations = annotated.has(row.item_id) ? await this.annotations(row.item_id) : [];
        yield { item: itemOf(row), annotations };
      }
    }
  }

  async *newestFirst(): AsyncGenerator<ExportedItem> {
    for await (const rows of this.pages(NEWEST_FIRST, HIGHEST)) {
      yield* rows.map(itemOf);
    }
  }

  /** Those of the items that have annotations. */
  private async annotated(itemIds: readonly string[]): Promise<ReadonlySet<string>> {
    const values = [this.userId, itemIds];
    const rows = await run<{ item_id: string }>(this.manager, { text: ANNOTATED, values });
    return new Set(rows.map(({ item_id }) => item_id));
  }

  /** The oldest first. */
  private async annotations(itemId: string): Promise<ExportedAnnotation[]> {
    const values = [this.userId, itemId];
    const rows = await run<AnnotationColumns>(this.manager, { text: ANNOTATIONS, values });
    return rows.map(annotationOf);
  }

  /** Each page begins after the last row of the one before. */
  private async *pages(text: string, start: string): AsyncGenerator<ItemColumns[]> {
    let key = [start, start];
    for (;;) {
      const rows = await run<ItemColumns>(this.manager, { text, values: [this.userId, ...key] });
      const last = rows.at(-1);
      if (last === undefined) {
        return;
      }
      yield rows;
      key = [last.added_order, last.item_id];
    }
  }
}

const itemOf = (row: ItemColumns): ExportedItem => ({
  itemId: row.item_id,
  url: row.given_url,
  givenTitle: row.given_title,
  resolvedTitle: row.resolved_title,
  prefersGivenTitle: row.prefers_given_title,
  tags: row.tags,
  isArchived: row.status === 1,
  isFavorite: row.favorite === 1,
  timeAdded: Number(row.time_added),
  timeUpdated: Number(row.time_updated),
  timeRead: Number(row.time_read),
  timeFavorited: Number(row.time_favorited),
});

const annotationOf = (row: AnnotationColumns): ExportedAnnotation => ({
  annotationId: row.annotation_id,
  itemId: row.item_id,
  quote: row.quote,
  patch: row.patch,
  version: row.version,
  createdAt: Number(row.created_at),
});
