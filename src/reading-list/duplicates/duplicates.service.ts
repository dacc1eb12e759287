import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { Config } from '../../platform/config/config.js';
import { applyActions } from '../actions/apply-actions.js';
import { DeletedItemRepository } from '../deletions/deleted-item.repository.js';
import { changedIdsIn } from '../edits/move-item.js';
import type { Annotation } from '../entities/annotation.entity.js';
import type { Item } from '../entities/item.entity.js';
import { AnnotationRepository } from '../list/annotation.repository.js';
import { ListRepository } from '../list/list.repository.js';
import { ReadingPositionRepository } from '../list/reading-position.repository.js';
import { TombstoneRepository } from '../list/tombstone.repository.js';
import { ListTransactions } from '../list-transactions.js';
import { PageTexts } from '../pages/page-texts.js';
import { SnapshotRepository } from '../snapshots/snapshot.repository.js';
import { TagMoveRepository } from '../tag-moves/tag-move.repository.js';
import { DuplicateRepository } from './duplicate.repository.js';
import {
  containsAll,
  type MergedItems,
  type MergeProblem,
  mergingActions,
  missingHighlights,
  problemOf,
} from './merged-item.js';
import { isSameArticle } from './same-article.js';

interface Merge {
  readonly keptId: string;
  /** The ids of the items that move to the trash. */
  readonly otherIds: readonly string[];
}

/**
 * `merged`: the other items are in the trash. `changed`: an item is no longer in the list, or is no longer a duplicate.
 * The other outcomes are the reasons why the merge would lose something. Then nothing has changed.
 */
export type MergeOutcome = 'merged' | 'changed' | MergeProblem;

const MS = 1000;

/** Merges items that are the same article at two addresses (docs/decisions/0141). */
@Injectable()
export class Duplicates {
  constructor(
    private readonly lists: ListTransactions,
    private readonly texts: PageTexts,
    private readonly config: Config,
  ) {}

  /**
   * Adds what the user has added to the other items to the kept item, and moves the other items to the trash.
   * @throws StorageFullError if the list has no room for copies of the highlights
   */
  merge(userId: string, { keptId, otherIds }: Merge): Promise<MergeOutcome> {
    return this.lists.run(userId, async (manager, now) => {
      const itemIds = [keptId, ...otherIds];
      await ListRepository.in(manager).lock(userId);
      const duplicates = DuplicateRepository.in(manager);
      await duplicates.lockItems(userId, itemIds);
      const merged = mergeable(await duplicates.itemsById(userId, itemIds), { keptId, otherIds });
      if (merged === undefined) {
        return 'changed';
      }
      await TagMoveRepository.in(manager).requireNoneOn(userId, itemIds);
      const annotations = await AnnotationRepository.in(manager).ofItems(userId, itemIds);
      const highlights = missingHighlights(merged, annotations);
      const problem =
        problemOf(merged) ?? (await this.problemWith(manager, highlights, merged.kept));
      if (problem === undefined) {
        await this.write(manager, { userId, now, merged, highlights });
      }
      return problem ?? 'merged';
    });
  }

  private async problemWith(
    manager: EntityManager,
    highlights: readonly Annotation[],
    { resolvedId }: Item,
  ): Promise<MergeProblem | undefined> {
    const texts = await this.texts.of(highlights.length === 0 ? [] : [resolvedId], manager);
    return containsAll(texts.get(resolvedId) ?? '', highlights) ? undefined : 'highlights';
  }

  private async write(
    manager: EntityManager,
    { userId, now, merged, highlights }: CheckedMerge,
  ): Promise<void> {
    const { resolverPagesPerHour: pagesPerHour, storageLimitBytes: storageLimit } = this.config;
    const otherIds = merged.others.map(({ itemId }) => itemId);
    await keepFurthestPosition(manager, { userId, now, keptId: merged.kept.itemId, otherIds });
    await SnapshotRepository.in(manager).moveToItem(userId, otherIds, merged.kept.itemId);
    const storedBytes = await DeletedItemRepository.in(manager).keep(userId, otherIds);
    await ListRepository.in(manager).moveStorage(userId, { storedBytes, mayStoreLess: false });
    const actions = mergingActions(merged, highlights);
    changedIdsIn(await applyActions(manager, userId, { actions, now, pagesPerHour, storageLimit }));
    const tombstones = TombstoneRepository.in(manager);
    for (const from of otherIds) {
      await tombstones.recordMove(userId, { from, to: merged.kept.itemId });
    }
  }
}

interface CheckedMerge {
  readonly userId: string;
  /** The current time in Unix seconds. */
  readonly now: number;
  readonly merged: MergedItems;
  /** The highlights to copy to the kept item. */
  readonly highlights: readonly Annotation[];
}

/** Returns the items, or undefined if one of them is missing or is not a duplicate of the kept item. */
function mergeable(
  items: ReadonlyMap<string, Item>,
  { keptId, otherIds }: Merge,
): MergedItems | undefined {
  const kept = items.get(keptId);
  const others = otherIds.flatMap((id) => items.get(id) ?? []);
  return kept !== undefined &&
    others.length === otherIds.length &&
    others.every((other) => other !== kept && isSameArticle(other, kept))
    ? { kept, others }
    : undefined;
}

interface PositionsOfMerge extends Merge {
  readonly userId: string;
  readonly now: number;
}

/** Gives the kept item the furthest reading position of all items. */
async function keepFurthestPosition(
  manager: EntityManager,
  { userId, now, keptId, otherIds }: PositionsOfMerge,
): Promise<void> {
  const positions = ReadingPositionRepository.in(manager);
  const found = await positions.ofItems(userId, [keptId, ...otherIds]);
  const furthest = found.toSorted((one, other) => other.fraction - one.fraction).at(0);
  if (furthest !== undefined && furthest.itemId !== keptId) {
    const { fraction, paragraph } = furthest;
    // Replaces the stored position of the kept item, unless it is from the future.
    const atMs = Math.max(now * MS, ...found.map(({ updatedAt }) => updatedAt.getTime() + 1));
    const position = { fraction, paragraph: paragraph ?? undefined, atMs };
    await positions.keep({ userId, itemId: keptId }, position, atMs);
  }
}
