import { isDeepStrictEqual } from 'node:util';

import type { EntityManager } from 'typeorm';

import { yieldToOthers } from '../../lib/util/event-loop.js';
import { isNoteTooLong, joinNotes } from '../../lib/util/item-note.js';
import { importDetails } from '../details/describe-item.js';
import { missingDetails } from '../details/tracked-details.js';
import { keepingFreeNumbers } from '../imports/free-numbers.js';
import { type ImportedChanges, importedChanges } from '../imports/imported-changes.js';
import type { ImportedAnnotation, ImportedItem } from '../imports/imported-item.js';
import {
  additionOf,
  missingTitle,
  newerState,
  stateOf,
  unsaidByEarlier,
} from '../imports/imported-state.js';
import { refusedForSize, type RefusedRow } from '../imports/row-size.js';
import { ListRepository } from './list.repository.js';
import { candidateIds, type ItemState, type Origin, type TouchedIds } from './list-state.js';
import { ListUnitOfWork } from './list-unit-of-work.js';
import { MAX_ANNOTATIONS } from './tracked-annotations.js';
import type { TrackedItem } from './tracked-items.js';
import { MAX_TAGS } from './tracked-tags.js';

/** Rows of an imported file that are applied in one transaction, in order. */
interface ImportBatch {
  readonly items: readonly ImportedItem[];
  /** The current time in Unix seconds. */
  readonly now: number;
  readonly rules: ImportRules;
  /** The maximum number of pages that are fetched per hour for imported items. Undefined or 0 means no limit. */
  readonly pagesPerHour?: number;
  /** The maximum number of bytes that the user may store. Undefined or 0 means no limit. */
  readonly storageLimit?: number;
  /**
   * The highest number (31-bit id) that the list had assigned before the import. Imported items keep only higher
   * numbers. If `numbersBefore` is undefined, all imported items get new numbers.
   */
  readonly numbersBefore?: number | null;
}

interface ImportedBatch {
  /** One result per row, in order. */
  readonly results: readonly ImportResult[];
  readonly changes: ImportedChanges;
}

/**
 * Applies imported rows to the user's list, in the caller's transaction. Returns the result of each row, and the changes
 * of the items.
 * @throws TagsMovingError if a tag of a row is being renamed or deleted
 * @throws StorageUnmeasuredError if a row was refused for its size, but the exact size of the list is unknown
 */
export async function importItems(
  manager: EntityManager,
  userId: string,
  batch: ImportBatch,
): Promise<ImportedBatch> {
  const lists = ListRepository.in(manager);
  const locked = await lists.load(userId, touchedBy(batch.items), batch);
  const items = await keepingFreeNumbers(manager, userId, batch);
  const results = await imported(locked.unit, { ...batch, items });
  locked.unit.room.requireMeasured();
  const changes = importedChanges(locked.unit);
  await lists.flush(userId, locked, { pagesPerHour: batch.pagesPerHour, isBulk: true });
  return { results, changes };
}

/** Returns the results that `importItems` would return, but writes nothing. */
export async function previewItems(
  manager: EntityManager,
  userId: string,
  batch: ImportBatch,
): Promise<ImportResult[]> {
  const state = await ListRepository.in(manager).read(userId, touchedBy(batch.items));
  return imported(new ListUnitOfWork(state, batch.now), batch);
}

async function imported(
  list: ListUnitOfWork,
  { items, rules }: ImportBatch,
): Promise<ImportResult[]> {
  const results: ImportResult[] = [];
  for (const item of items) {
    await yieldToOthers();
    results.push(importItem(list, item, rules));
  }
  return results;
}

function touchedBy(items: readonly ImportedItem[]): TouchedIds {
  const marked = items.filter(({ annotations }) => annotations.length > 0);
  return {
    itemIds: unique(items.flatMap((item) => candidateIds(item))),
    tagIds: unique(items.flatMap(({ tags }) => tags.map(({ id }) => id))),
    annotations: {
      itemIds: unique(marked.flatMap((item) => candidateIds(item))),
      ids: unique(marked.flatMap((item) => annotationIdsOf(item))),
    },
    detailedItemIds: unique(
      items.flatMap((item) => (item.details === undefined ? [] : candidateIds(item))),
    ),
  };
}

const annotationIdsOf = (item: ImportedItem): string[] =>
  candidateIds(item).flatMap((id) => item.annotations.map((one) => one.annotationIdOn(id)));

const unique = (ids: readonly string[]): readonly string[] => [...new Set(ids)];

/**
 * The result of a row that was not refused. `leftOut` describes parts of the row that were not
 * imported, such as too many tags.
 */
export interface TakenRow {
  readonly became: 'added' | 'changed' | 'unchanged' | 'deleted';
  readonly leftOut: readonly string[];
  /** The saved URL of the existing item with which the row was merged. Undefined if the row created an item. */
  readonly mergedInto?: string;
}

export type ImportResult = TakenRow | RefusedRow;

export interface ImportRules {
  /** True if the import restores items that the user has deleted. */
  readonly restoresDeleted: boolean;
}

/**
 * Applies one imported row to the list. If the user has changed the item in Satchel, the row changes the item only if
 * the row is newer than the change by the user (docs/decisions/0023).
 */
export function importItem(
  list: ListUnitOfWork,
  row: ImportedItem,
  { restoresDeleted }: ImportRules,
): ImportResult {
  const there = list.items.find(row);
  if (there !== undefined) {
    return mergeItem(list, there, row);
  }
  const deletedAt = list.items.deletedAt(row.address);
  if (!restoresDeleted && deletedAt !== undefined && row.asOf <= deletedAt) {
    return { became: 'deleted', leftOut: [] };
  }
  const full = refusedForSize(list, undefined, row);
  if (full !== undefined) {
    return full;
  }
  const item = list.items.create(row.address);
  if (item === undefined) {
    return { became: 'refused', reason: 'Its place in the list belongs to another address.' };
  }
  item.import(stateOf(row, additionOf(list.additions, row)), {
    timeUpdated: row.asOf || list.now,
    importedAsOf: row.asOf,
  });
  item.number = row.number;
  importDetails(list, item, row.details);
  return { became: 'added', leftOut: bringAlong(list, item, row) };
}

/**
 * Merges a row into an existing item. The item gets the newer state, and the tags, annotations and notes of both. If
 * the user has changed the item in Satchel after the time of the row, the item stays unchanged.
 */
function mergeItem(list: ListUnitOfWork, there: TrackedItem, row: ImportedItem): ImportResult {
  const origin = there.origin ?? there.writtenAs(list.now);
  const order = orderAfter(origin, row);
  if (origin.importedAsOf === null && order === 'older') {
    return { became: 'unchanged', leftOut: [], mergedInto: there.state.givenUrl };
  }
  return refusedForSize(list, there, row) ?? joinItem(list, there, { row, origin, order });
}

/**
 * How the time of a row compares with the time of the item's state. `same` means that earlier rows
 * of the file have set the state. The row then only adds values that are missing in these earlier
 * rows.
 */
type Order = 'newer' | 'same' | 'older';

function orderAfter({ importedAsOf, timeUpdated }: Origin, { asOf, earlier }: ImportedItem): Order {
  const stateAsOf = importedAsOf ?? timeUpdated;
  if (asOf > stateAsOf) {
    return 'newer';
  }
  return earlier?.asOf === stateAsOf ? 'same' : 'older';
}

interface Joining {
  readonly row: ImportedItem;
  readonly origin: Origin;
  readonly order: Order;
}

function joinItem(
  list: ListUnitOfWork,
  there: TrackedItem,
  { row, origin, order }: Joining,
): ImportResult {
  const mergedInto = there.state.givenUrl;
  const shown = () => ({
    state: there.state,
    marked: list.annotations.countOf(there.itemId),
    details: list.details.of(there.itemId),
  });
  const before = shown();
  const { note, leftOut: noteLeftOut } = joinedNote(there.state, row);
  there.import({ ...changesOf(list, there, { row, order }), note }, merged(origin, row.asOf));
  const missing = missingDetails(list.details.of(there.itemId), row.details);
  importDetails(list, there, order === 'newer' ? row.details : missing);
  const leftOut = [...noteLeftOut, ...bringAlong(list, there, row)];
  const became = isDeepStrictEqual(before, shown()) ? 'unchanged' : 'changed';
  return { became, leftOut, mergedInto };
}

function changesOf(
  { additions }: ListUnitOfWork,
  { state }: TrackedItem,
  { row, order }: Pick<Joining, 'row' | 'order'>,
): Partial<ItemState> {
  return order === 'newer'
    ? newerState(additions, state, row)
    : { ...missingTitle(state, row), ...(order === 'same' && unsaidByEarlier(state, row)) };
}

/**
 * Returns the stored note, followed by the note of the row. If the joined note would be too long, returns only the
 * stored note.
 */
function joinedNote(
  { note }: ItemState,
  row: ImportedItem,
): { readonly note: string; readonly leftOut: readonly string[] } {
  const joined = joinNotes(note, row.note);
  return isNoteTooLong(joined)
    ? { note, leftOut: ['the note, which does not fit beside the note of the item'] }
    : { note: joined, leftOut: [] };
}

/**
 * Returns the origin of an item's state after a merge with an imported row. If the user has changed
 * the item, the origin is still a change by the user.
 */
const merged = ({ timeUpdated, importedAsOf }: Origin, asOf: number): Origin => ({
  timeUpdated: asOf > (importedAsOf ?? timeUpdated) ? asOf : timeUpdated,
  importedAsOf: importedAsOf === null ? null : Math.max(importedAsOf, asOf),
});

/**
 * Adds the tags and annotations of the row to the item. Returns a message for each kind that
 * exceeds its maximum per item.
 */
function bringAlong(list: ListUnitOfWork, item: TrackedItem, row: ImportedItem): readonly string[] {
  const there = list.itemTags.of(item);
  const more = row.tags.filter(({ id }) => !there.some((tag) => tag.id === id));
  const room = MAX_TAGS - there.length;
  list.itemTags.set(item, [...there, ...more.slice(0, room)]);
  const unmarked = row.annotations.filter((annotation) => !mark(list, item, annotation)).length;
  return [
    ...(more.length > room ? [`${more.length - room} tags, of which an item has at most 50`] : []),
    ...(unmarked > 0 ? [`${unmarked} annotations, of which an item has at most 100`] : []),
  ];
}

function mark(
  list: ListUnitOfWork,
  item: TrackedItem,
  { annotationIdOn, ...annotation }: ImportedAnnotation,
): boolean {
  const { itemId } = item;
  const annotationId = annotationIdOn(itemId);
  const owner = list.annotations.itemOf(annotationId);
  if (owner === undefined && list.annotations.countOf(itemId) < MAX_ANNOTATIONS) {
    const updatedAt = annotation.createdAt;
    list.annotations.write({ ...annotation, annotationId, itemId, updatedAt });
    item.touch();
    return true;
  }
  return owner === itemId;
}
