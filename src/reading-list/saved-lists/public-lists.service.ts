import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import type { User } from '../../auth/entities/user.entity.js';
import type { PublicList } from '../entities/public-list.entity.js';
import { ListRepository } from '../list/list.repository.js';
import { ListTransactions } from '../list-transactions.js';
import type { ListView } from '../views/list-view.js';
import { chosenAddress, randomAddress, storedAddress } from './list-address.js';
import { PublicListRepository } from './public-list.repository.js';
import { SavedListNotFoundError } from './saved-list.errors.js';
import { type ListKey, SavedListRepository } from './saved-list.repository.js';
import { viewOf } from './saved-list-view.js';
import { restorableSince } from './saved-lists.service.js';

const MS_PER_SECOND = 1000;

/** The settings of a public page that the owner of the list chooses. */
export interface PublicPageChoices extends Pick<PublicList, 'showsNotes' | 'isIndexed'> {
  /** The address as the owner has typed it. Empty for a random address. */
  readonly address: string;
}

/** A list that visitors may see. */
export interface OpenedList extends Pick<PublicList, 'address' | 'showsNotes' | 'isIndexed'> {
  readonly name: string;
  readonly view: ListView;
  readonly owner: User;
}

/** Publishes saved lists at addresses that need no login (docs/decisions/0120). */
@Injectable()
export class PublicLists {
  constructor(
    private readonly pages: PublicListRepository,
    private readonly lists: SavedListRepository,
    private readonly transactions: ListTransactions,
  ) {}

  /** Returns the public page of a list, or undefined if the list is private. */
  of({ userId, id }: ListKey): Promise<PublicList | undefined> {
    return this.pages.ofList(userId, id);
  }

  /**
   * Publishes a list, or changes its public page. The page is then at the new address only.
   * @throws SavedListNotFoundError if the list was deleted
   * @throws ListAddressError, ListAddressReservedError or ListAddressTakenError if the list cannot have the address
   */
  async publish(key: ListKey, { address: text, ...choices }: PublicPageChoices): Promise<void> {
    const { userId, id: listId } = key;
    const address = text.trim() === '' ? randomAddress() : chosenAddress(text);
    await this.transactions.run(userId, async (manager, nowSeconds) => {
      await ListRepository.in(manager).lock(userId);
      if ((await SavedListRepository.in(manager).withId(key)) === undefined) {
        throw new SavedListNotFoundError();
      }
      await freeOfDeleted(manager, address, { userId, now: new Date(nowSeconds * MS_PER_SECOND) });
      await PublicListRepository.in(manager).put({ userId, listId, address, ...choices });
    });
  }

  /** Removes the public page of a list. Does nothing if the list is private. */
  async unpublish({ userId, id }: ListKey): Promise<void> {
    await this.pages.deleteOf(userId, [id]);
  }

  /**
   * Returns the list that is public at an address. Returns undefined if there is none, if the user is disabled, if the
   * list was deleted, or if this version does not understand its conditions.
   */
  async open(text: string): Promise<OpenedList | undefined> {
    const address = storedAddress(text);
    const page = address === undefined ? undefined : await this.pages.at(address);
    return page && this.opened(page);
  }

  private async opened(page: PublicList): Promise<OpenedList | undefined> {
    const { userId, listId, address, showsNotes, isIndexed, user: owner } = page;
    const list = await this.lists.withId({ userId, id: listId });
    const view = list && viewOf(list);
    return view && { address, showsNotes, isIndexed, owner, name: list.name, view };
  }
}

/**
 * Frees an address that a deleted list still has, because the list could be restored. An address of another user is
 * free when the list can no longer be restored.
 */
async function freeOfDeleted(
  manager: EntityManager,
  address: string,
  { userId, now }: { readonly userId: string; readonly now: Date },
): Promise<void> {
  const pages = PublicListRepository.in(manager);
  const holder = await pages.findOneBy({ address });
  if (holder === null) {
    return;
  }
  const key = { userId: holder.userId, id: holder.listId };
  const lists = SavedListRepository.in(manager);
  const isDeleted = (await lists.withId(key)) === undefined;
  const isRestorable = (await lists.deletedWithId(key, restorableSince(now))) !== undefined;
  if (isDeleted && (holder.userId === userId || !isRestorable)) {
    await pages.deleteOf(holder.userId, [holder.listId]);
  }
}
