import { Repository } from 'typeorm';

import { violates } from '../../../platform/database/database.errors.js';
import { queryRows } from '../../../platform/database/query-rows.js';
import { OwnerGoneError } from '../../../reading-list/reading-list.errors.js';
import { HashedList } from '../entities/hashed-list.entity.js';
import type { UrlHash } from '../entities/url-hash.entity.js';
import {
  ADD_HASHES,
  ITEMS_BEHIND,
  ITEMS_RESOLVED_TO,
  ITEMS_WITH,
  MOVE_ON,
} from './url-hashes.sql.js';

/** The addresses of an item. */
export interface AddressedItem {
  readonly itemId: string;
  readonly version: string;
  readonly number: number;
  readonly given_url: string;
  readonly resolved_url: string;
}

/** The progress of hashing a list. It is the last hashed item, in the order of versions. */
export type HashedTo = Pick<AddressedItem, 'version' | 'itemId'>;

/** A stored hash and its item. */
export interface KeptHash {
  readonly hash: string;
  readonly itemId: string;
}

const BEGINNING: HashedTo = { version: '0', itemId: '0' };

/** Queries over the URL hashes of lists. */
export class UrlHashRepository extends Repository<UrlHash> {
  async hashedTo(userId: string): Promise<HashedTo> {
    return (await this.manager.findOneBy(HashedList, { userId })) ?? BEGINNING;
  }

  /** Returns the next items to hash, in the order of versions. */
  behind(userId: string, { version, itemId }: HashedTo, limit: number): Promise<AddressedItem[]> {
    return queryRows(this.manager, ITEMS_BEHIND, [userId, version, itemId, limit]);
  }

  /**
   * Stores hashes, and then stores the progress of the list.
   *
   * @throws OwnerGoneError if the list was deleted meanwhile
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

  /** Returns the items that may have URLs with these hashes. */
  itemsWith(userId: string, hashes: readonly string[]): Promise<AddressedItem[]> {
    return queryRows(this.manager, ITEMS_WITH, [userId, hashes]);
  }

  /** Returns the items whose pages resolved to these URLs. */
  itemsResolvedTo(userId: string, urls: readonly string[]): Promise<AddressedItem[]> {
    return queryRows(this.manager, ITEMS_RESOLVED_TO, [userId, urls]);
  }
}

/** Returns true if the list was deleted while the statement ran. */
const isOfNoList = (error: unknown): boolean =>
  violates(error, 'url_hashes_user_id_fkey') || violates(error, 'hashed_lists_user_id_fkey');
