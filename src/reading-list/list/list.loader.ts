import type { EntityManager } from 'typeorm';

import { run } from '../../database/statements.js';
import { loadAnnotations } from './annotation.loader.js';
import type { StoredItem, StoredSlice, StoredTag } from './stored-slice.js';
import type { Wanted, WantedAnnotations } from './wanted.js';

/** The bits of `items.facet` that the resolver decides. */
const KIND = 8 | 16 | 32;

/** A tombstone is a row of nothing but its id and its time. */
const COLUMNS = `
    item_id, status, favorite, time_added::float8, added_sequence, time_read::float8, time_favorited::float8,
    given_url, given_title, prefers_given_title, resolved_url, resolved_title, tags,
    time_updated::float8, imported_as_of::float8, facet & ${KIND} AS kind`;

const ITEMS = `
    SELECT ${COLUMNS}
    FROM items WHERE user_id = $1 AND item_id = ANY ($2::bigint[])
    UNION ALL
    SELECT item_id, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, stamp::float8, NULL, NULL
    FROM tombstones WHERE user_id = $1 AND item_id = ANY ($2::bigint[])`;

/** Annotations are deleted by their own id alone. */
const ANNOTATED = `
    SELECT ${COLUMNS} FROM items WHERE user_id = $1 AND item_id IN (
      SELECT item_id FROM annotations WHERE user_id = $1 AND annotation_id = ANY ($2::text[]))`;

const TAGS = `SELECT tag_id, name, item_count FROM tags WHERE user_id = $1 AND tag_id = ANY ($2::bigint[])`;

const NO_ANNOTATIONS: WantedAnnotations = { ids: [], itemIds: [] };

interface ItemRow {
  readonly item_id: string;
  readonly status: 0 | 1;
  readonly favorite: 0 | 1;
  readonly time_added: number;
  readonly added_sequence: number;
  readonly time_read: number;
  readonly time_favorited: number;
  readonly given_url: string;
  readonly given_title: string;
  readonly prefers_given_title: boolean;
  readonly resolved_url: string;
  readonly resolved_title: string;
  readonly tags: string[];
  readonly time_updated: number;
  readonly imported_as_of: number | null;
  readonly kind: number;
}

interface TombstoneRow {
  readonly item_id: string;
  readonly status: null;
  readonly time_updated: number;
}

interface TagRow {
  readonly tag_id: string;
  readonly name: string;
  readonly item_count: number;
}

/** Reads what a batch touches. The lock of the list is asked for before. */
export async function loadSlice(
  manager: EntityManager,
  userId: string,
  { itemIds, tagIds, annotations = NO_ANNOTATIONS }: Wanted,
): Promise<StoredSlice> {
  const [rows, tags, annotated, places] = await Promise.all([
    whenAny<ItemRow | TombstoneRow>(manager, ITEMS, [userId, itemIds]),
    whenAny<TagRow>(manager, TAGS, [userId, tagIds]),
    whenAny<ItemRow>(manager, ANNOTATED, [userId, annotations.ids]),
    loadAnnotations(manager, userId, annotations),
  ]);
  const found = [...rows.filter((row) => row.status !== null), ...annotated];
  return {
    annotations: places,
    items: [...new Map(found.map((row) => [row.item_id, row])).values()].map(storedItem),
    tombstones: rows
      .filter((row) => row.status === null)
      .map((row) => ({ itemId: row.item_id, stamp: row.time_updated })),
    tags: tags.map(storedTag),
  };
}

const whenAny = async <Row extends object>(
  manager: EntityManager,
  text: string,
  values: readonly [userId: string, ids: readonly string[]],
): Promise<Row[]> => (values[1].length === 0 ? [] : run<Row>(manager, { text, values }));

const storedItem = (row: ItemRow): StoredItem => ({
  itemId: row.item_id,
  status: row.status,
  favorite: row.favorite,
  timeAdded: row.time_added,
  addedSequence: row.added_sequence,
  timeRead: row.time_read,
  timeFavorited: row.time_favorited,
  givenUrl: row.given_url,
  givenTitle: row.given_title,
  prefersGivenTitle: row.prefers_given_title,
  tags: row.tags,
  timeUpdated: row.time_updated,
  importedAsOf: row.imported_as_of,
  kind: row.kind,
  resolvedUrl: row.resolved_url,
  resolvedTitle: row.resolved_title,
});

const storedTag = (row: TagRow): StoredTag => ({
  id: row.tag_id,
  name: row.name,
  itemCount: row.item_count,
});
