import { Any } from 'typeorm';

import type { TagColorName } from '../../lib/util/tag-color.js';
import { CustomRepository } from '../../platform/database/custom-repository.js';
import type { RetaggedTag } from '../list/list-changes.js';
import { TagColor } from './tag-color.entity.js';

/** Stores the colors of tags. Rows are written only while the list is locked. */
export class TagColorRepository extends CustomRepository<TagColor> {
  static readonly entity = TagColor;

  /** Returns the colors of those tags that have one, by the id of the tag. */
  async among(
    userId: string,
    tagIds: readonly string[],
  ): Promise<ReadonlyMap<string, TagColorName>> {
    const found = tagIds.length === 0 ? [] : await this.findBy({ userId, tagId: Any([...tagIds]) });
    return new Map(found.map(({ tagId, color }) => [tagId, color]));
  }

  /** Sets the color of a tag, or removes it. */
  async put(userId: string, tagId: string, color: TagColorName | undefined): Promise<void> {
    await (color === undefined
      ? this.delete({ userId, tagId })
      : this.upsert({ userId, tagId, color }, ['userId', 'tagId']));
  }

  /** Moves the colors of tags that are renamed. A color that the new tag has wins. Removes the colors of deleted tags. */
  async move(userId: string, retagged: readonly RetaggedTag[]): Promise<void> {
    const colors = await this.among(
      userId,
      retagged.map(({ from }) => from.id),
    );
    if (colors.size === 0) {
      return;
    }
    await this.delete({ userId, tagId: Any([...colors.keys()]) });
    // If several tags are merged into one, the color of the first one wins.
    const moved = new Map(
      retagged.toReversed().flatMap(({ from, to }) => {
        const color = colors.get(from.id);
        return to === undefined || color === undefined ? [] : [[to.id, color] as const];
      }),
    );
    await this.createQueryBuilder()
      .insert()
      .values([...moved].map(([tagId, color]) => ({ userId, tagId, color })))
      .orIgnore()
      .execute();
  }
}
