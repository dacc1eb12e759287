import { Injectable } from '@nestjs/common';
import { Any } from 'typeorm';

import type { Action } from '../../../reading-list/actions/action.js';
import type { Tag } from '../../../reading-list/entities/tag.entity.js';
import { TagRepository } from '../../../reading-list/list/tag.repository.js';
import { parseTagName, type TagName } from '../../../reading-list/list/tag-name.js';
import { ListTransactions } from '../../../reading-list/list-transactions.js';
import { EntryActions } from '../entries/entry-actions.service.js';

/** Changes the tags of an entry, and removes tags from all entries. */
@Injectable()
export class TagWriter {
  constructor(
    private readonly actions: EntryActions,
    private readonly tags: TagRepository,
    private readonly lists: ListTransactions,
  ) {}

  /**
   * Adds tags to an entry.
   *
   * @throws ItemNotFoundError, ValidationFailedError
   */
  add(userId: string, itemId: string, tags: readonly TagName[]): Promise<void> {
    const action: Action = { action: 'tags_add', item: { itemId }, tags, time: undefined };
    return this.actions.do(userId, [action]);
  }

  /**
   * Removes a tag from an entry. Removing a missing tag is a no-op.
   *
   * @throws ItemNotFoundError if the entry is missing
   */
  remove(userId: string, itemId: string, { name }: Tag): Promise<void> {
    const tags = namesOf([name]);
    const action: Action = { action: 'tags_remove', item: { itemId }, tags, time: undefined };
    return this.actions.do(userId, [action]);
  }

  /** Finds a tag by its numeric id. */
  async numbered(userId: string, number: number): Promise<Tag | undefined> {
    return (await this.tags.findOneBy({ userId, number })) ?? undefined;
  }

  /** Removes tags from all entries, and returns the tags that existed. */
  async deleteEverywhere(userId: string, tags: readonly TagName[]): Promise<Tag[]> {
    const deleted = await this.actions.underLock(userId, async (list) => {
      const tagIds = tags.map(({ id }) => id);
      const found = await TagRepository.in(list.manager).findBy({ userId, tagId: Any(tagIds) });
      const actions = namesOf(found.map(({ name }) => name)).map((tag): Action => ({
        action: 'tag_delete',
        tag,
        time: undefined,
      }));
      await list.apply(actions);
      return found;
    });
    await this.lists.moveTagsOrWarn(userId);
    return deleted;
  }
}

/** Parses stored tag names. They are always valid, because only valid names are stored. */
export const namesOf = (stored: readonly string[]): TagName[] =>
  stored.flatMap((name) => parseTagName(name) ?? []);
