import type { EntityManager } from 'typeorm';

import { allowLongStatements } from '../../platform/database/query-rows.js';
import { type TagMove } from '../entities/tag-move.entity.js';
import { untaggedMoves } from '../facet.js';
import { LONGEST_STATEMENT_SECONDS } from '../list/item.repository.js';
import { ListRepository, type LockedList } from '../list/list.repository.js';
import type { ItemTagRow, RetaggedTag } from '../list/list-changes.js';
import type { StoredTag } from '../list/list-state.js';
import { TagRepository } from '../list/tag.repository.js';
import type { NamedTag } from '../list/tag-name.js';
import { TagMoveRepository } from './tag-move.repository.js';

/**
 * The maximum number of items that one transaction changes. Other changes of the list wait for the transaction. Smaller
 * transactions would need more processor time for all items together, and increase the list version more often.
 */
const MOVED_AT_ONCE = 250;

interface Share {
  /** The current time in Unix seconds. */
  readonly now: number;
  readonly atMost?: number;
}

/**
 * Applies the pending renames and deletions of tags to the next group of items, in the caller's transaction
 * (docs/decisions/0085). The list gets a new version. Returns false if no rename or deletion was pending.
 */
export async function moveTags(
  manager: EntityManager,
  userId: string,
  { now, atMost = MOVED_AT_ONCE }: Share,
): Promise<boolean> {
  const list = await ListRepository.in(manager).lock(userId);
  const piece = await nextPiece(manager, userId, atMost);
  if (piece === undefined) {
    return false;
  }
  await allowLongStatements(manager, LONGEST_STATEMENT_SECONDS);
  if (piece.isLast) {
    await TagMoveRepository.in(manager).end(userId, piece.moves);
  }
  if (piece.rows.length > 0) {
    await follow(manager, list, { ...piece, userId, now });
  }
  return true;
}

interface Piece {
  readonly moves: readonly TagMove[];
  readonly rows: readonly ItemTagRow[];
  /** True if these rows contain all remaining items with the tags to rename or delete. */
  readonly isLast: boolean;
}

/**
 * Returns the next group of items to change. If the first tag has too many items for one
 * transaction, returns some of its items. Otherwise, returns all items of as many tags as fit into
 * one transaction. Returns undefined if no rename or deletion is pending.
 */
async function nextPiece(
  manager: EntityManager,
  userId: string,
  atMost: number,
): Promise<Piece | undefined> {
  const tags = TagRepository.in(manager);
  const next = await TagMoveRepository.in(manager).next(userId);
  const [first] = next;
  if (first === undefined) {
    return undefined;
  }
  const whole = together(next, await tags.load(userId, next.map(sourceOf)), atMost);
  if (whole.length > 0) {
    return { moves: whole, rows: await tags.carriers(userId, whole.map(sourceOf)), isLast: true };
  }
  const rows = await tags.someCarriers(userId, first.sourceId, atMost);
  // If fewer than `atMost` rows were found, the tag has no other items. The stored counter of the
  // tag is not used: if it were wrong, the rename would never end.
  return { moves: [first], rows, isLast: rows.length < atMost };
}

const sourceOf = ({ sourceId }: TagMove): string => sourceId;

/**
 * Returns as many renames and deletions as fit into one transaction, because each transaction
 * increases the list version.
 */
function together(
  moves: readonly TagMove[],
  stored: readonly StoredTag[],
  atMost: number,
): readonly TagMove[] {
  const counts = new Map(stored.map(({ id, itemCount }) => [id, itemCount]));
  let items = 0;
  const end = moves.findIndex(({ sourceId }) => {
    items += counts.get(sourceId) ?? 0;
    return items > atMost;
  });
  return end === -1 ? moves : moves.slice(0, end);
}

interface Following extends Piece {
  readonly userId: string;
  readonly now: number;
}

/** Changes the tags on the items in `rows`. */
async function follow(
  manager: EntityManager,
  list: LockedList,
  { userId, moves, now, rows }: Following,
): Promise<void> {
  const tags = TagRepository.in(manager);
  const owner = [userId, list.nextVersion] as const;
  const retagged = moves.map(fromMove);
  const bulk = await tags.retag(owner, { now, retagged, rows });
  const newNames = await namesToGive(tags, userId, retagged, list.numbers);
  await tags.write(owner, { tagRows: { removed: [], inserted: [] }, newNames }, bulk.tags);
  await ListRepository.in(manager).moveCounters(userId, list, {
    numbers: newNames.length,
    hasSearchIndex: list.hasSearchIndex,
    facetMoves: untaggedMoves(bulk.untagged),
    storage: { storedBytes: 0, mayStoreLess: true },
    events: () => [{ kind: 'item.changed', count: bulk.items }],
  });
}

const fromMove = ({ sourceId, source, targetId, target }: TagMove): RetaggedTag => ({
  from: { id: sourceId, name: source },
  to: targetId === null || target === null ? undefined : { id: targetId, name: target },
});

/**
 * Returns the new tag names that no item of the list has yet, with new numbers (31-bit ids).
 */
async function namesToGive(
  tags: TagRepository,
  userId: string,
  retagged: readonly RetaggedTag[],
  numbers: number,
): Promise<(NamedTag & { readonly number: number })[]> {
  const targets = new Map(retagged.flatMap(({ to }) => (to === undefined ? [] : [[to.id, to]])));
  for (const { id } of await tags.load(userId, [...targets.keys()])) {
    targets.delete(id);
  }
  return [...targets.values()].map((tag, at) => ({ ...tag, number: numbers + at + 1 }));
}
