import { Injectable, NotFoundException } from '@nestjs/common';

import type { TagColorName } from '../../lib/util/tag-color.js';
import { folded } from '../list/item-texts.js';
import { ListRepository } from '../list/list.repository.js';
import type { StoredTag } from '../list/list-state.js';
import { TagRepository } from '../list/tag.repository.js';
import { tagId } from '../list/tag-name.js';
import { ListTransactions } from '../list-transactions.js';
import { TagColorRepository } from './tag-color.repository.js';

/** A tag with its color. The color is undefined if the user has chosen none. */
export interface ColoredTag extends StoredTag {
  readonly color: TagColorName | undefined;
}

/** The colors of tags by the names of the tags. */
export type ColorsByName = ReadonlyMap<string, TagColorName>;

/** Finds and changes the colors of tags (docs/decisions/0111). */
@Injectable()
export class TagColors {
  constructor(
    private readonly colors: TagColorRepository,
    private readonly tags: TagRepository,
    private readonly transactions: ListTransactions,
  ) {}

  /** Returns the tags whose names contain `part`, in the order of their names. */
  async counted(
    userId: string,
    found: { readonly part: string; readonly limit: number },
  ): Promise<ColoredTag[]> {
    const tags = await this.tags.counted(userId, found);
    const colors = await this.colors.among(
      userId,
      tags.map(({ id }) => id),
    );
    return tags.map((tag) => ({ ...tag, color: colors.get(tag.id) }));
  }

  /** Returns the colors of those tags that have one. */
  async of(userId: string, names: readonly string[]): Promise<ColorsByName> {
    const ids = names.map((name) => tagId(folded(name)));
    const colors = await this.colors.among(userId, ids);
    return new Map(
      names.flatMap((name, at) => {
        const color = colors.get(ids[at] ?? '');
        return color === undefined ? [] : [[name, color] as const];
      }),
    );
  }

  /**
   * Sets the color of a tag, or removes it.
   * @throws NotFoundException if no item has the tag
   */
  async set(userId: string, id: string, color: TagColorName | undefined): Promise<void> {
    await this.transactions.run(userId, async (manager) => {
      await ListRepository.in(manager).lock(userId);
      const [tag] = await TagRepository.in(manager).load(userId, [id]);
      if (tag === undefined || tag.itemCount === 0) {
        throw new NotFoundException();
      }
      await TagColorRepository.in(manager).put(userId, id, color);
    });
  }
}
