import { In, IsNull } from 'typeorm';

import { CustomRepository } from '../../platform/database/custom-repository.js';
import { violates } from '../../platform/database/database.errors.js';
import { PublicList } from '../entities/public-list.entity.js';
import { ListAddressTakenError } from './public-list.errors.js';

/** Stores the addresses and settings of the public pages of lists. */
export class PublicListRepository extends CustomRepository<PublicList> {
  static readonly entity = PublicList;

  async ofList(userId: string, listId: string): Promise<PublicList | undefined> {
    return (await this.findOneBy({ userId, listId })) ?? undefined;
  }

  /** Returns the public page with an address, together with its user. Ignores the pages of disabled users. */
  async at(address: string): Promise<PublicList | undefined> {
    const where = { address, user: { disabledAt: IsNull() } };
    return (await this.findOne({ where, relations: { user: true } })) ?? undefined;
  }

  /**
   * Creates or changes the public page of a list. If two users choose an address at the same time, the unique
   * constraint rejects the second one.
   * @throws ListAddressTakenError if another list has the address
   */
  async put(
    page: Pick<PublicList, 'userId' | 'listId' | 'address' | 'showsNotes' | 'isIndexed'>,
  ): Promise<void> {
    try {
      await this.upsert(page, ['userId', 'listId']);
    } catch (error) {
      throw violates(error, 'public_lists_address_key') ? new ListAddressTakenError() : error;
    }
  }

  /** Deletes the public pages of lists. Ignores lists without a public page. */
  async deleteOf(userId: string, listIds: readonly string[]): Promise<void> {
    await this.delete({ userId, listId: In(listIds) });
  }
}
