import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { defined } from '../../lib/util/defined.js';
import { Config } from '../../platform/config/config.js';
import { type Action, bringing } from '../actions/action.js';
import { applyActions } from '../actions/apply-actions.js';
import type { ItemRow } from '../entities/item.entity.js';
import type { SavedBefore } from '../list/action-outcome.js';
import { ItemRepository } from '../list/item.repository.js';
import { addNewItem } from '../list/new-item.js';
import { ListTransactions } from '../list-transactions.js';
import { keepSentPage, type SentPage, sentPage } from '../pages/page-requests.js';
import { PageResolver } from '../pages/page-resolver.js';
import type { ItemToAdd } from './add.request.js';
import { findPageFacts, type PageFacts } from './page-facts.js';

/**
 * A saved item. `facts` is set if the page of the item was fetched in time. `savedBefore` is set if the item was
 * already in the list.
 */
interface AddedItem {
  readonly row: ItemRow;
  readonly facts?: PageFacts;
  readonly savedBefore?: SavedBefore | undefined;
}

@Injectable()
export class AddService {
  constructor(
    private readonly lists: ListTransactions,
    private readonly items: ItemRepository,
    private readonly pages: PageResolver,
    private readonly config: Config,
  ) {}

  /**
   * Saves one item, and waits at most `waitMs` milliseconds for its page to be fetched.
   *
   * @throws ValidationFailedError if the item cannot be saved, for example because of too many tags.
   * @throws StorageFullError if the user has no storage left.
   */
  async add(
    userId: string,
    item: ItemToAdd,
    waitMs: number = this.config.resolveWaitMs,
  ): Promise<AddedItem> {
    const { resolverPagesPerHour: pagesPerHour, storageLimitBytes: storageLimit } = this.config;
    const sent = item.html === undefined ? undefined : await sentPage(item.html);
    const saving = { userId, item, sent, pagesPerHour, storageLimit };
    const { row: saved, savedBefore } =
      (await this.addNew(saving)) ??
      (await this.lists.run(userId, (manager, now) => save(manager, { ...saving, now })));
    const page = { userId, itemId: saved.item_id, url: saved.given_url, sent };
    const isResolved = await this.pages.resolve(page, waitMs);
    if (!isResolved && waitMs === 0) {
      return { row: saved, savedBefore };
    }
    const found = await this.items.rowsById(userId, [saved.item_id]);
    const row = found.get(saved.item_id) ?? saved;
    const facts = await findPageFacts(this.items.manager, row);
    return { row, savedBefore, ...defined({ facts }) };
  }

  /** Saves the item if it is simple to save: new, without tags, and without a page from the client. */
  private async addNew({ userId, item, sent, ...limits }: Saving): Promise<Saved | undefined> {
    if (sent !== undefined) {
      return undefined;
    }
    const row = await this.lists.runAlone(userId, (manager, now) =>
      addNewItem(manager, userId, { item: actionOf(item), time: item.time, now, ...limits }),
    );
    return row && { row };
  }
}

type Saved = Pick<AddedItem, 'row' | 'savedBefore'>;

interface Saving {
  readonly userId: string;
  readonly item: ItemToAdd;
  readonly sent: SentPage | undefined;
  readonly pagesPerHour: number;
  readonly storageLimit: number;
}

async function save(
  manager: EntityManager,
  { userId, item, sent, ...saving }: Saving & { readonly now: number },
): Promise<Saved> {
  const outcomes = await applyActions(manager, userId, {
    ...saving,
    actions: [actionOf(item), ...bringing({ address: item.address }, sent)],
    returnsItems: true,
  });
  for (const outcome of outcomes) {
    if (!outcome.ok) {
      throw outcome.refusal.error;
    }
  }
  const [saved] = outcomes;
  if (saved?.ok !== true || saved.row === undefined) {
    throw new Error('an item that was just saved is not in the list');
  }
  if (sent !== undefined) {
    const { item_id: itemId, given_url: url } = saved.row;
    await keepSentPage(manager, { userId, itemId, url }, sent);
  }
  return { row: saved.row, savedBefore: saved.savedBefore };
}

/**
 * Returns the action that adds the item. The title from the client is shown only until the title of
 * the page is known (specification of the v3 API, "POST /v3/add").
 */
const actionOf = ({ address, title, tags, time, html }: ItemToAdd): Action<'add'> => ({
  action: 'add',
  item: { address },
  title,
  tags,
  time,
  prefersGivenTitle: false,
  bringsPage: html !== undefined,
});
