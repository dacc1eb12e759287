import type { EntityManager } from 'typeorm';

import { run } from '../../database/statements.js';
import type { ExportedAnnotation, ExportedItem } from './exported-item.js';

/** As many as are held in memory at once; those of annotations may be large. */
const ITEMS_AT_ONCE = 1000;
const ANNOTATIONS_AT_ONCE = 100;

const ITEMS = `
    SELECT item_id, given_url, given_title, resolved_title, prefers_given_title, tags, status, favorite, time_added,
      time_updated, time_read, time_favorited
    FROM items`;

const BY_ID = `${ITEMS} WHERE user_id = $1 AND item_id > $2 ORDER BY item_id LIMIT ${ITEMS_AT_ONCE}`;

const NEWEST_FIRST = `${ITEMS} WHERE user_id = $1 AND (time_added, item_id) < ($2, $3)
    ORDER BY time_added DESC, item_id DESC LIMIT ${ITEMS_AT_ONCE}`;

const ANNOTATIONS = `
    SELECT annotation_id, item_id, quote, patch, version, created_at FROM annotations
    WHERE user_id = $1 AND (item_id, created_at, annotation_id) > ($2, $3, $4)
    ORDER BY item_id, created_at, annotation_id LIMIT ${ANNOTATIONS_AT_ONCE}`;

/** Before and beyond every row. */
const LOWEST = '-1';
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

  async *byId(): AsyncGenerator<ExportedItem> {
    const pages = this.pages<ItemColumns>(BY_ID, [LOWEST], ({ item_id }) => [item_id]);
    for await (const rows of pages) {
      yield* rows.map(itemOf);
    }
  }

  async *newestFirst(): AsyncGenerator<ExportedItem> {
    const pages = this.pages<ItemColumns>(NEWEST_FIRST, [HIGHEST, HIGHEST], (row) => [
      row.time_added,
      row.item_id,
    ]);
    for await (const rows of pages) {
      yield* rows.map(itemOf);
    }
  }

  /** By item, and the oldest first. */
  async *annotations(): AsyncGenerator<ExportedAnnotation> {
    const pages = this.pages<AnnotationColumns>(ANNOTATIONS, [LOWEST, LOWEST, ''], (row) => [
      row.item_id,
      row.created_at,
      row.annotation_id,
    ]);
    for await (const rows of pages) {
      yield* rows.map(annotationOf);
    }
  }

  /** Each page begins after the last row of the one before. */
  private async *pages<Row extends Record<string, unknown>>(
    text: string,
    start: readonly string[],
    keyOf: (row: Row) => readonly string[],
  ): AsyncGenerator<Row[]> {
    let key = start;
    for (;;) {
      const rows = await run<Row>(this.manager, { text, values: [this.userId, ...key] });
      const last = rows.at(-1);
      if (last === undefined) {
        return;
      }
      yield rows;
      key = keyOf(last);
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
