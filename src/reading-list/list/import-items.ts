import type { EntityManager } from 'typeorm';

import { Pace } from '../../common/pace.js';
import { importItem, type ImportOutcome, type ImportRules } from './import-item.js';
import type { ImportedItem } from './imported-item.js';
import { candidateIds } from './item-reference.js';
import { loadSlice } from './list.loader.js';
import { ListStore } from './list.store.js';
import { ListSlice } from './list-slice.js';
import type { Wanted } from './wanted.js';

/** Rows of a file, in order. */
export interface ImportBatch {
  readonly items: readonly ImportedItem[];
  /** In unix seconds. */
  readonly now: number;
  readonly rules: ImportRules;
  /** How many pages of added items are fetched in an hour; 0, as if unsaid, for no limit. */
  readonly pagesPerHour?: number;
}

/** Brings the rows into the user's list, inside the caller's transaction: one outcome each, in order. */
export async function importItems(
  manager: EntityManager,
  userId: string,
  batch: ImportBatch,
): Promise<ImportOutcome[]> {
  const store = new ListStore(manager, userId, batch.pagesPerHour);
  const locked = await store.load(wantedBy(batch.items), batch.now);
  const outcomes = await imported(locked.slice, batch);
  await store.store(locked);
  return outcomes;
}

/** What importItems would make of the rows as the list is now. */
export async function previewItems(
  manager: EntityManager,
  userId: string,
  batch: ImportBatch,
): Promise<ImportOutcome[]> {
  const stored = await loadSlice(manager, userId, wantedBy(batch.items));
  return imported(new ListSlice(stored, batch.now), batch);
}

async function imported(slice: ListSlice, { items, rules }: ImportBatch): Promise<ImportOutcome[]> {
  const outcomes: ImportOutcome[] = [];
  const pace = new Pace();
  for (const item of items) {
    await pace.breathe();
    outcomes.push(importItem(slice, item, rules));
  }
  return outcomes;
}

function wantedBy(items: readonly ImportedItem[]): Wanted {
  const marked = items.filter(({ annotations }) => annotations.length > 0);
  return {
    itemIds: unique(items.flatMap((item) => candidateIds(item))),
    tagIds: unique(items.flatMap(({ tags }) => tags.map(({ id }) => id))),
    annotations: {
      itemIds: unique(marked.flatMap((item) => candidateIds(item))),
      ids: unique(marked.flatMap((item) => item.annotations.map((one) => one.annotationId))),
    },
  };
}

const unique = (ids: readonly string[]): readonly string[] => [...new Set(ids)];
