import { isDeepStrictEqual } from 'node:util';

import type { AddedAt } from './added-order.js';
import type { ImportedAnnotation, ImportedItem } from './imported-item.js';
import { MAX_TAGS } from './item-tags.js';
import type { ListSlice } from './list-slice.js';
import { MAX_ANNOTATIONS } from './list-slice.js';
import type { Origin, SliceItem } from './slice-item.js';
import type { ItemState } from './stored-slice.js';

/** What an import made of one row; what the item has no room for is left out, and said. */
export type ImportOutcome =
  | {
      readonly became: 'added' | 'changed' | 'unchanged' | 'deleted';
      readonly leftOut: readonly string[];
    }
  | { readonly became: 'refused'; readonly reason: string };

export interface ImportRules {
  /** Items that the person has deleted come back. */
  readonly restoresDeleted: boolean;
}

/**
 * Brings one row of a file into the list; the person's own changes win over rows that are not newer than they
 * (docs/decisions/0023).
 */
export function importItem(
  list: ListSlice,
  row: ImportedItem,
  { restoresDeleted }: ImportRules,
): ImportOutcome {
  const there = list.items.find(row);
  if (there !== undefined) {
    return mergeItem(list, there, row);
  }
  const deletedAt = list.items.deletedAt(row);
  if (!restoresDeleted && deletedAt !== undefined && row.asOf <= deletedAt) {
    return { became: 'deleted', leftOut: [] };
  }
  const item = list.items.create(row.address);
  if (item === undefined) {
    return { became: 'refused', reason: 'Its place in the list belongs to another address.' };
  }
  item.import(
    { ...stateOf(row), ...additionOf(list, row) },
    { timeUpdated: row.asOf || list.now, importedAsOf: row.asOf },
  );
  return { became: 'added', leftOut: bringAlong(list, item, row) };
}

/** The newer state wins; tags and passages are joined. What the person has changed here since stays as it is. */
function mergeItem(list: ListSlice, there: SliceItem, row: ImportedItem): ImportOutcome {
  const origin = there.origin ?? there.writtenAs(list.now);
  const isNewer = row.asOf > (origin.importedAsOf ?? origin.timeUpdated);
  if (origin.importedAsOf === null && !isNewer) {
    return { became: 'unchanged', leftOut: [] };
  }
  const before = { state: there.state, marked: list.annotations.countOf(there.itemId) };
  there.import(
    isNewer ? newerState(list, there, row) : gaps(there.state, row),
    merged(origin, row.asOf),
  );
  const leftOut = bringAlong(list, there, row);
  const after = { state: there.state, marked: list.annotations.countOf(there.itemId) };
  return { became: isDeepStrictEqual(before, after) ? 'unchanged' : 'changed', leftOut };
}

/** What is the person's own stays that. */
const merged = ({ timeUpdated, importedAsOf }: Origin, asOf: number): Origin => ({
  timeUpdated: asOf > (importedAsOf ?? timeUpdated) ? asOf : timeUpdated,
  importedAsOf: importedAsOf === null ? null : Math.max(importedAsOf, asOf),
});

const stateOf = (row: ImportedItem): Partial<ItemState> => ({
  status: row.status ?? 0,
  favorite: row.favorite ?? 0,
  timeRead: row.timeRead,
  timeFavorited: row.timeFavorited,
  givenTitle: row.title ?? '',
  prefersGivenTitle: row.prefersGivenTitle ?? false,
});

/** Of the rows of one second a file has the oldest first, unless its format says otherwise (docs/decisions/0035). */
const additionOf = (
  { additions }: ListSlice,
  { timeAdded, isFromNewestFirst }: ImportedItem,
): AddedAt => (isFromNewestFirst ? additions.olderAt(timeAdded) : additions.at(timeAdded));

/** What the file does not say stays, and so does the place of an item that it has at the same second. */
const newerState = (
  list: ListSlice,
  { state }: SliceItem,
  row: ImportedItem,
): Partial<ItemState> => ({
  ...(row.saysTimeAdded && row.timeAdded !== state.timeAdded && additionOf(list, row)),
  ...(row.status !== undefined && { status: row.status, timeRead: row.timeRead }),
  ...(row.favorite !== undefined && { favorite: row.favorite, timeFavorited: row.timeFavorited }),
  ...titleOf(row),
});

const gaps = ({ givenTitle }: ItemState, row: ImportedItem): Partial<ItemState> =>
  givenTitle === '' ? titleOf(row) : {};

const titleOf = ({ title, prefersGivenTitle }: ImportedItem): Partial<ItemState> =>
  title === undefined
    ? {}
    : { givenTitle: title, ...(prefersGivenTitle !== undefined && { prefersGivenTitle }) };

/** Gives what found no room. */
function bringAlong(list: ListSlice, item: SliceItem, row: ImportedItem): readonly string[] {
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

function mark(list: ListSlice, item: SliceItem, annotation: ImportedAnnotation): boolean {
  const { itemId } = item;
  const owner = list.annotations.itemOf(annotation.annotationId);
  if (owner === undefined && list.annotations.countOf(itemId) < MAX_ANNOTATIONS) {
    list.annotations.write({ ...annotation, itemId });
    item.touch();
    return true;
  }
  return owner === itemId;
}
