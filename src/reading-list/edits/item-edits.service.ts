import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { Config } from '../../platform/config/config.js';
import type { Action } from '../actions/action.js';
import { applyActions } from '../actions/apply-actions.js';
import { type Address, normalAddress } from '../list/address.js';
import { ItemRepository } from '../list/item.repository.js';
import { givenTitle, shownTitle } from '../list/item-texts.js';
import { ListRepository } from '../list/list.repository.js';
import type { NewItem, StoredItem } from '../list/list-state.js';
import { parseTagNames, type TagName } from '../list/tag-name.js';
import { ListTransactions } from '../list-transactions.js';
import { ItemNotFoundError } from '../reading-list.errors.js';
import { changedIdsIn, moveItem } from './move-item.js';

/** The new title, tags and address of an item. */
interface ItemEdit {
  /** Undefined means that the title does not change. An empty title shows the title of the page again. */
  readonly title: string | undefined;
  /** The tags that replace all tags of the item. Undefined means that the tags do not change. */
  readonly tags: readonly TagName[] | undefined;
  /** Undefined means that the address does not change. */
  readonly address: Address | undefined;
}

type Settings = Parameters<typeof moveItem>[3];

/** Changes what a user can edit of an item. */
@Injectable()
export class ItemEdits {
  constructor(
    private readonly lists: ListTransactions,
    private readonly config: Config,
  ) {}

  /**
   * Stores the title, the tags and the address of an item. Stores either all or none. Another address moves the item,
   * so the item gets another id (docs/decisions/0113). Returns the id of the item.
   * @throws ItemNotFoundError
   * @throws AddressTakenError if another item has the address
   * @throws ValidationFailedError if there are too many tags
   * @throws StorageFullError
   */
  edit(userId: string, itemId: string, edit: ItemEdit): Promise<string> {
    const { resolverPagesPerHour: pagesPerHour, storageLimitBytes: storageLimit } = this.config;
    return this.lists.run(userId, async (manager, now) => {
      const list = { manager, userId };
      await ListRepository.in(manager).lock(userId);
      const stored = await ItemRepository.in(manager).load(userId, {
        itemIds: [itemId],
        tagIds: [],
      });
      const [item] = stored.items;
      if (item === undefined) {
        throw new ItemNotFoundError();
      }
      return written(list, { item, edit }, { now, pagesPerHour, storageLimit });
    });
  }
}

interface LockedList {
  readonly manager: EntityManager;
  readonly userId: string;
}

interface EditOfItem {
  readonly item: StoredItem;
  readonly edit: ItemEdit;
}

/** Returns the id of the item after the edit. */
async function written(
  { manager, userId }: LockedList,
  { item, edit }: EditOfItem,
  settings: Settings,
): Promise<string> {
  const { address } = edit;
  if (address !== undefined && !isAddressOf(item, address)) {
    return moveItem(
      manager,
      userId,
      { item, address, ...textsAfterMove({ item, edit }) },
      settings,
    );
  }
  changedIdsIn(
    await applyActions(manager, userId, { ...settings, actions: rewriting({ item, edit }) }),
  );
  return item.itemId;
}

const isAddressOf = ({ givenUrl }: StoredItem, { normalUrl, ...address }: Address): boolean =>
  address.givenUrl === givenUrl || normalAddress(givenUrl)?.normalUrl === normalUrl;

/** Returns the title that is shown after the edit. Empty for the title of the page. */
const titleAfter = (item: StoredItem, title: string | undefined): string =>
  title === undefined ? shownTitle(item) : (givenTitle(title) ?? '');

function rewriting({ item, edit: { title, tags } }: EditOfItem): Action[] {
  const change = { item: { itemId: item.itemId }, time: undefined };
  const newTitle = titleAfter(item, title);
  const retitle: Action = { action: 'retitle', ...change, title: newTitle };
  return [
    // An unchanged title stays the title of the page, which a later fetch may replace.
    ...(newTitle === shownTitle(item) ? [] : [retitle]),
    ...(tags === undefined ? [] : [{ action: 'tags_replace', ...change, tags } as const]),
  ];
}

/** Returns the title from the user. The new page gives the title if the user has not set one. */
function textsAfterMove({
  item,
  edit: { title, tags },
}: EditOfItem): Pick<NewItem, 'title' | 'prefersGivenTitle' | 'tags'> {
  const newTitle = titleAfter(item, title);
  const kept = item.prefersGivenTitle ? item.givenTitle : '';
  const ownTitle = newTitle === shownTitle(item) ? kept : newTitle;
  return {
    title: ownTitle || undefined,
    prefersGivenTitle: ownTitle !== '',
    tags: tags ?? parseTagNames(item.tags) ?? [],
  };
}
