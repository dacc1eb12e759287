import { Injectable } from '@nestjs/common';

import type { ItemRow } from '../../../reading-list/entities/item.entity.js';
import type { ListDigest } from '../../../reading-list/entities/list-digest.entity.js';
import { ListReader } from '../../../reading-list/get/list-reader.js';
import { SavedListRepository } from '../../../reading-list/saved-lists/saved-list.repository.js';
import { viewOf } from '../../../reading-list/saved-lists/saved-list-view.js';
import { itemsOf } from '../../../reading-list/views/view-query.js';
import { DigestSkippedError, UNREADABLE } from './list-digest.errors.js';

/** The name of a list, and the items that its next digest contains. */
export interface DigestItems {
  readonly listName: string;
  readonly rows: readonly ItemRow[];
}

/** Finds the items of digests with the query of the list. */
@Injectable()
export class ListDigestContents {
  constructor(
    private readonly lists: SavedListRepository,
    private readonly reader: ListReader,
  ) {}

  /**
   * Returns the newest items of the list that no digest of the list has contained. Returns undefined if the list was
   * deleted.
   *
   * @throws DigestSkippedError if this version does not understand the conditions of the list
   */
  async of(digest: ListDigest, now: Date): Promise<DigestItems | undefined> {
    const { userId, listId, mostItems } = digest;
    const list = await this.lists.withId({ userId, id: listId });
    if (list === undefined) {
      return undefined;
    }
    const view = viewOf(list);
    if (view === undefined) {
      throw new DigestSkippedError(UNREADABLE);
    }
    const { rows } = await this.reader.page(userId, {
      filter: { ...itemsOf(view, now).filter, notInDigestOf: listId },
      order: 'newest',
      timeOrder: view.state.timeOrder,
      page: { count: mostItems, offset: 0 },
    });
    return { listName: list.name, rows };
  }
}
