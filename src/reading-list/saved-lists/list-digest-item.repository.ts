import { CustomRepository } from '../../platform/database/custom-repository.js';
import { ListDigestItem } from '../entities/list-digest-item.entity.js';

/** Stores which items the digests of a list have contained. */
export class ListDigestItemRepository extends CustomRepository<ListDigestItem> {
  static readonly entity = ListDigestItem;

  /** Adds items. Ignores items that were added before. */
  async add(userId: string, listId: string, itemIds: readonly string[]): Promise<void> {
    const rows = itemIds.map((itemId) => ({ userId, listId, itemId }));
    await this.createQueryBuilder().insert().values(rows).orIgnore().execute();
  }
}
