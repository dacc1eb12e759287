import type { RetaggedTag } from '../list/list-changes.js';
import type { ListUnitOfWork } from '../list/list-unit-of-work.js';

/** What a batch does to the tags of items that it does not load. */
export interface BulkChanges {
  /** In the transaction of the batch, before all else. */
  readonly retagged: readonly RetaggedTag[];
  /** On so many items that these follow in transactions of their own (docs/decisions/0085). */
  readonly moving: readonly RetaggedTag[];
}

/** Tag changes made at once, or left to tag-moves/ if more than `atOnce` items carry the tags. */
export function bulkChanges(unit: ListUnitOfWork, atOnce: number): BulkChanges {
  const all = retaggedBy(unit);
  return carriersOf(unit, all) > atOnce && canFollow(unit, all)
    ? { retagged: [], moving: all }
    : { retagged: all, moving: [] };
}

const retaggedBy = ({ tags, bulkTags }: ListUnitOfWork): RetaggedTag[] =>
  bulkTags.entries().map(([from, to]) => ({
    from: { id: from, name: tags.storedNameOf(from) },
    to: to === undefined ? undefined : { id: to, name: tags.nameOf(to) },
  }));

const carriersOf = ({ tags }: ListUnitOfWork, retagged: readonly RetaggedTag[]): number =>
  retagged.reduce((sum, { from }) => sum + tags.storedCountOf(from.id), 0);

/**
 * A move can be deferred only if none of its old tags exists at the end: otherwise items still to be moved could not be
 * told from items that have the tag again.
 */
const canFollow = ({ tags }: ListUnitOfWork, retagged: readonly RetaggedTag[]): boolean =>
  retagged.every(({ from }) => !tags.exists(from.id));
