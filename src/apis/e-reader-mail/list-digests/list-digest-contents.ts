import { Injectable } from '@nestjs/common';

import type { User } from '../../../auth/entities/user.entity.js';
import { UserRepository } from '../../../auth/user.repository.js';
import { Clock } from '../../../platform/common/clock.js';
import type { ItemRow } from '../../../reading-list/entities/item.entity.js';
import type { ListDigest } from '../../../reading-list/entities/list-digest.entity.js';
import type { SavedList } from '../../../reading-list/entities/saved-list.entity.js';
import { ListReader } from '../../../reading-list/get/list-reader.js';
import { SavedListRepository } from '../../../reading-list/saved-lists/saved-list.repository.js';
import { viewOf } from '../../../reading-list/saved-lists/saved-list-view.js';
import { itemsOf } from '../../../reading-list/views/view-query.js';
import { dayIn } from '../digest-times.js';
import { DigestSkippedError, UNREADABLE } from './list-digest.errors.js';

/** The content of the next digest of a list. */
export interface DigestItems {
  readonly user: User;
  readonly listName: string;
  /** The date in the time zone of the digest. */
  readonly day: string;
  readonly rows: readonly ItemRow[];
}

/** Finds the items of digests with the query of the list. */
@Injectable()
export class ListDigestContents {
  constructor(
    private readonly users: UserRepository,
    private readonly lists: SavedListRepository,
    private readonly reader: ListReader,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the newest items of the list that no digest of the list has contained. Returns undefined if there are none,
   * if the list was deleted, or if the user is disabled.
   *
   * @throws DigestSkippedError if this version does not understand the conditions of the list
   */
  async of(digest: ListDigest): Promise<DigestItems | undefined> {
    const { userId, listId: id, timeZone } = digest;
    const user = await this.users.findOneBy({ id: userId });
    const list = await this.lists.withId({ userId, id });
    if (user?.disabledAt !== null || list === undefined) {
      return undefined;
    }
    const rows = await this.rowsOf(digest, list);
    const day = dayIn(timeZone, this.clock.now());
    return rows.length === 0 ? undefined : { user, listName: list.name, day, rows };
  }

  private async rowsOf(
    { userId, listId, mostItems }: ListDigest,
    list: SavedList,
  ): Promise<readonly ItemRow[]> {
    const view = viewOf(list);
    if (view === undefined) {
      throw new DigestSkippedError(UNREADABLE);
    }
    const { rows } = await this.reader.page(userId, {
      filter: { ...itemsOf(view, this.clock.now()).filter, notInDigestOf: listId },
      order: 'newest',
      timeOrder: view.state.timeOrder,
      page: { count: mostItems, offset: 0 },
    });
    return rows;
  }
}
