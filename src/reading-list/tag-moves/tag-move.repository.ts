import { Any } from 'typeorm';

import { CustomRepository } from '../../platform/database/custom-repository.js';
import { usersOnLivingServers } from '../../platform/database/living-servers.js';
import { queryRows } from '../../platform/database/query-rows.js';
import { TagMove } from '../entities/tag-move.entity.js';
import type { ListChanges } from '../list/list-changes.js';
import { HAVE_TO_FOLLOW, OWNERS_OF_MOVES, OWNERS_OF_MOVES_ON_ONE_SERVER } from '../list/tag.sql.js';
import { TagColorRepository } from '../tag-colors/tag-color.repository.js';

const LOOKED_AT_ONCE = 1000;

/**
 * Thrown if a change contains a tag that is being renamed or deleted. The caller finishes the rename or deletion and
 * tries the change again.
 */
export class TagsMovingError extends Error {
  constructor() {
    super('A tag is still being renamed or taken off.');
  }
}

/**
 * Stores pending renames and deletions of tags. The row of a tag is deleted when all items with the
 * tag are changed. Rows are written only while the list is locked.
 */
export class TagMoveRepository extends CustomRepository<TagMove> {
  static readonly entity = TagMove;

  /**
   * Stores the renames and deletions of tags in `moving`. Later transactions apply them to the items. The colors of all
   * renamed tags move at once.
   */
  async begin(
    userId: string,
    { retagged, moving }: Pick<ListChanges, 'retagged' | 'moving'>,
  ): Promise<void> {
    const colors = TagColorRepository.in(this.manager);
    if (retagged.length + moving.length > 0) {
      await colors.move(userId, [...retagged, ...moving]);
    }
    if (moving.length > 0) {
      await this.insert(
        moving.map(({ from, to }) => ({
          userId,
          sourceId: from.id,
          source: from.name,
          targetId: to?.id ?? null,
          target: to?.name ?? null,
        })),
      );
    }
  }

  /** @throws TagsMovingError if one of these tags is the old or the new tag of a pending rename or deletion */
  async requireNoneOf(userId: string, tagIds: readonly string[]): Promise<void> {
    if (tagIds.length === 0) {
      return;
    }
    const moves = await this.findBy({ userId });
    const named = new Set(tagIds);
    if (moves.some(({ sourceId, targetId }) => named.has(sourceId) || named.has(targetId ?? ''))) {
      throw new TagsMovingError();
    }
  }

  /** @throws TagsMovingError if any tag of the list is being renamed or deleted */
  async requireNone(userId: string): Promise<void> {
    if (await this.existsBy({ userId })) {
      throw new TagsMovingError();
    }
  }

  /** @throws TagsMovingError if one of these items has a tag that is being renamed or deleted */
  async requireNoneOn(userId: string, itemIds: readonly string[]): Promise<void> {
    if ((await queryRows(this.manager, HAVE_TO_FOLLOW, [userId, itemIds])).length > 0) {
      throw new TagsMovingError();
    }
  }

  /** Returns the first pending renames and deletions of tags in the list, sorted by the id of the old tag. */
  async next(userId: string): Promise<TagMove[]> {
    return this.find({ where: { userId }, order: { sourceId: 'ASC' }, take: LOOKED_AT_ONCE });
  }

  async end(userId: string, moves: readonly TagMove[]): Promise<void> {
    await this.delete({ userId, sourceId: Any(moves.map(({ sourceId }) => sourceId)) });
  }

  /**
   * Returns the ids of the users for whom a rename or deletion of a tag is pending. Omits the users of servers that are
   * unreachable.
   */
  async owners(): Promise<string[]> {
    try {
      const owners = await queryRows<{ userId: string }>(this.manager, OWNERS_OF_MOVES);
      return owners.map(({ userId }) => userId);
    } catch (error) {
      return usersOnLivingServers(this.manager, error, OWNERS_OF_MOVES_ON_ONE_SERVER);
    }
  }
}
