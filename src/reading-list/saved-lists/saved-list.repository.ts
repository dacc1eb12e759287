import { In, IsNull, LessThan, MoreThanOrEqual } from 'typeorm';

import { CustomRepository } from '../../platform/database/custom-repository.js';
import { SavedList } from '../entities/saved-list.entity.js';
import { folded } from '../list/item-texts.js';

/** The key of a list. */
export interface ListKey {
  readonly userId: string;
  readonly id: string;
}

/** Stores the lists that users have saved. All methods ignore deleted lists, unless their comment says otherwise. */
export class SavedListRepository extends CustomRepository<SavedList> {
  static readonly entity = SavedList;

  /** Returns the lists of a user in their order. */
  allOf(userId: string): Promise<SavedList[]> {
    return this.find({
      where: { userId, deletedAt: IsNull() },
      order: { place: 'ASC', id: 'ASC' },
    });
  }

  /** Returns the list with a name. Upper and lower case do not matter. */
  async named(userId: string, name: string): Promise<SavedList | undefined> {
    const where = { userId, nameKey: folded(name), deletedAt: IsNull() };
    return (await this.findOneBy(where)) ?? undefined;
  }

  async withId(key: ListKey): Promise<SavedList | undefined> {
    return (await this.findOneBy({ ...key, deletedAt: IsNull() })) ?? undefined;
  }

  /** Returns a list that was deleted, but not before a time. */
  async deletedWithId(key: ListKey, since: Date): Promise<SavedList | undefined> {
    return (await this.findOneBy({ ...key, deletedAt: MoreThanOrEqual(since) })) ?? undefined;
  }

  /** Deletes the lists of a user for good that were deleted before a time. Returns their ids. */
  async purge(userId: string, before: Date): Promise<string[]> {
    const lists = await this.findBy({ userId, deletedAt: LessThan(before) });
    const ids = lists.map(({ id }) => id);
    await this.delete({ userId, id: In(ids) });
    return ids;
  }
}
