import { CustomRepository } from '../../../platform/database/custom-repository.js';
import { violates } from '../../../platform/database/database.errors.js';
import { queryRows } from '../../../platform/database/query-rows.js';
import { OwnerGoneError } from '../../../reading-list/reading-list.errors.js';
import { HashedList } from '../entities/hashed-list.entity.js';
import { UrlHash } from '../entities/url-hash.entity.js';
import {
  ADD_HASHES,
  ITEMS_BEHIND,
  ITEMS_RESOLVED_TO,
  ITEMS_WITH,
  MOVE_ON,
} from './url-hashes.sql.js';

/** An item with the URLs that are hashed. */
export interface AddressedItem {
  readonly itemId: string;
  readonly version: string;
  readonly number: number;
  readonly given_url: string;
  readonly resolved_url: string;
}

/** The version and the id of the last item whose URLs are hashed. Items are hashed in the order of their versions. */
export type HashedTo = Pick<AddressedItem, 'version' | 'itemId'>;

export interface KeptHash {
  readonly hash: string;
  readonly itemId: string;
}

const BEGINNING: HashedTo = { version: '0', itemId: '0' };

/** Queries the URL hashes of lists. */
export class UrlHashRepository extends CustomRepository<UrlHash> {
  static readonly entity = UrlHash;

  async hashedTo(userId: string): Promise<HashedTo> {
    return (await this.manager.findOneBy(HashedList, { userId })) ?? BEGINNING;
  }

  /** Returns the next items whose URLs must be hashed, in the order of their versions. */
  behind(userId: string, { version, itemId }: HashedTo, limit: number): Promise<AddressedItem[]> {
    return queryRows(this.manager, ITEMS_BEHIND, [userId, version, itemId, limit]);
  }

  /**
   * Stores URL hashes of items. Then stores the progress: the version and the id of the last hashed
   * item.
   *
   * @throws OwnerGoneError if the list was deleted in the meantime
   */
  async add(userId: string, hashes: readonly KeptHash[], to: HashedTo): Promise<void> {
    const [kept, ids] = [hashes.map(({ hash }) => hash), hashes.map(({ itemId }) => itemId)];
    try {
      await queryRows(this.manager, ADD_HASHES, [userId, kept, ids]);
      await queryRows(this.manager, MOVE_ON, [userId, to.version, to.itemId]);
    } catch (error) {
      throw isOfNoList(error) ? new OwnerGoneError() : error;
    }
  }

  /** Returns the items that may have a URL with one of these hashes. */
  itemsWith(userId: string, hashes: readonly string[]): Promise<AddressedItem[]> {
    return queryRows(this.manager, ITEMS_WITH, [userId, hashes]);
  }

  /** Returns the items whose pages were redirected to one of these URLs. */
  itemsResolvedTo(userId: string, urls: readonly string[]): Promise<AddressedItem[]> {
    return queryRows(this.manager, ITEMS_RESOLVED_TO, [userId, urls]);
  }
}

/** Returns true if a foreign key failed because the list was deleted while the statement ran. */
const isOfNoList = (error: unknown): boolean =>
  violates(error, 'url_hashes_user_id_fkey') || violates(error, 'hashed_lists_user_id_fkey');
