import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import type { SavedList } from '../entities/saved-list.entity.js';
import { folded } from '../list/item-texts.js';
import { ListRepository } from '../list/list.repository.js';
import { visibleName } from '../list/tag-name.js';
import { ListTransactions } from '../list-transactions.js';
import { beginRule } from '../rules/begin-rule.js';
import { lockSubscription, updateSubscription } from '../rules/rule-subscription.js';
import type { ListView } from '../views/list-view.js';
import { ListDigestRepository } from './list-digest.repository.js';
import { PublicListRepository } from './public-list.repository.js';
import {
  ListNameError,
  ListNameTakenError,
  MOST_LISTS,
  SavedListNotFoundError,
  TooManyListsError,
} from './saved-list.errors.js';
import { SavedListRepository } from './saved-list.repository.js';
import { viewOf } from './saved-list-view.js';

/** The properties of a list that its owner chooses. */
export type ListChoices = Pick<SavedList, 'name' | 'conditions' | 'isPinned' | 'feed' | 'isShelf'>;

type NewList = Pick<ListChoices, 'name' | 'conditions'> & Partial<ListChoices>;

/** The number of milliseconds for which a deleted list can be restored. */
const RESTORABLE_MS = 3_600_000;
const MS_PER_SECOND = 1000;

/** Returns the time since which a list must have been deleted to be restorable at the time `now`. */
export const restorableSince = (now: Date): Date => new Date(now.getTime() - RESTORABLE_MS);

/** Creates and changes the lists that users have saved. Each change locks the reading list of the user. */
@Injectable()
export class SavedLists {
  constructor(
    private readonly lists: SavedListRepository,
    private readonly transactions: ListTransactions,
  ) {}

  /** Returns the lists of a user in their order. */
  all(userId: string): Promise<SavedList[]> {
    return this.lists.allOf(userId);
  }

  /** Returns the list with a name. Upper and lower case do not matter. */
  async named(userId: string, text: string): Promise<SavedList | undefined> {
    const name = listNameIn(text);
    return name === undefined ? undefined : this.lists.named(userId, name);
  }

  /**
   * Returns the view of the list with a name.
   * @throws SavedListNotFoundError if the user has no such list, or if this version does not understand its conditions
   */
  async viewNamed(userId: string, name: string): Promise<ListView> {
    const list = await this.named(userId, name);
    const view = list && viewOf(list);
    if (view === undefined) {
      throw new SavedListNotFoundError();
    }
    return view;
  }

  /**
   * Saves a list behind the other lists of the user.
   * @throws ListNameError, ListNameTakenError or TooManyListsError if the user cannot save the list
   */
  create(userId: string, { name: text, ...choices }: NewList): Promise<SavedList> {
    const name = nameIn(text);
    return this.change(userId, async (lists) => {
      const all = await lists.allOf(userId);
      if (all.length >= MOST_LISTS) {
        throw new TooManyListsError();
      }
      requireFree(all, name);
      const place = (all.at(-1)?.place ?? 0) + 1;
      return lists.save(lists.create({ ...choices, userId, name, nameKey: folded(name), place }));
    });
  }

  /**
   * Changes the given properties of a list.
   * @throws SavedListNotFoundError if the user has no list with this id
   * @throws ListNameError or ListNameTakenError if the user cannot rename the list
   */
  edit(
    userId: string,
    id: string,
    { name: text, ...choices }: Partial<ListChoices>,
  ): Promise<SavedList> {
    const name = text === undefined ? undefined : nameIn(text);
    return this.change(userId, async (lists) => {
      const all = await lists.allOf(userId);
      const list = all.find((one) => one.id === id);
      if (list === undefined) {
        throw new SavedListNotFoundError();
      }
      requireFree(
        all.filter((one) => one !== list),
        name ?? list.name,
      );
      const renamed = name === undefined ? {} : { name, nameKey: folded(name) };
      return lists.save(lists.merge(list, renamed, choices));
    });
  }

  /** Moves a list up or down by one place. Does nothing if it has no neighbour there, or does not exist any more. */
  async move(userId: string, id: string, direction: 'up' | 'down'): Promise<void> {
    await this.change(userId, async (lists) => {
      const all = await lists.allOf(userId);
      const from = all.findIndex((one) => one.id === id);
      const to = from + (direction === 'up' ? -1 : 1);
      const [list, neighbour] = [all[from], all[to]];
      if (list !== undefined && neighbour !== undefined) {
        all.splice(from, 1);
        all.splice(to, 0, list);
        await lists.save(all.map((one, index) => lists.merge(one, { place: index + 1 })));
      }
    });
  }

  /** Deletes a list. `restore` undoes the deletion for an hour. Deletes no items. */
  async delete(userId: string, id: string): Promise<void> {
    await this.change(userId, async (lists, now) => {
      const purged = await lists.purge(userId, restorableSince(now));
      await PublicListRepository.in(lists.manager).deleteOf(userId, purged);
      await ListDigestRepository.in(lists.manager).deleteOf(userId, purged);
      const list = await lists.withId({ userId, id });
      if (list !== undefined) {
        await lists.update({ userId, id }, { deletedAt: now });
        await updateSubscription(lists.manager, userId);
      }
    });
  }

  /**
   * Restores a deleted list.
   * @throws SavedListNotFoundError if it was deleted too long ago
   * @throws ListNameTakenError or TooManyListsError if another list has taken its place
   */
  restore(userId: string, id: string): Promise<SavedList> {
    return this.change(userId, async (lists, now) => {
      const all = await lists.allOf(userId);
      const present = all.find((one) => one.id === id);
      if (present !== undefined) {
        return present;
      }
      const list = await lists.deletedWithId({ userId, id }, restorableSince(now));
      if (list === undefined) {
        throw new SavedListNotFoundError();
      }
      if (all.length >= MOST_LISTS) {
        throw new TooManyListsError();
      }
      requireFree(all, list.name);
      const restored = await lists.save(lists.merge(list, { deletedAt: null }));
      await beginRule(lists.manager, { userId, listId: id });
      await updateSubscription(lists.manager, userId);
      return restored;
    });
  }

  private change<T>(
    userId: string,
    work: (lists: SavedListRepository, now: Date) => Promise<T>,
  ): Promise<T> {
    return this.transactions.run(userId, async (manager: EntityManager, nowSeconds) => {
      await lockSubscription(manager, userId);
      await ListRepository.in(manager).lock(userId);
      return work(SavedListRepository.in(manager), new Date(nowSeconds * MS_PER_SECOND));
    });
  }
}

/** Returns the name of a list without invisible characters at its ends. Returns undefined if the name is not valid. */
export function listNameIn(text: string): string | undefined {
  const name = visibleName(text);
  // Browsers remove a part of an address that consists of one or two dots.
  return name === undefined || /^\.{1,2}$/.test(name) ? undefined : name;
}

/** @throws ListNameError if the name is not valid */
function nameIn(text: string): string {
  const name = listNameIn(text);
  if (name === undefined) {
    throw new ListNameError();
  }
  return name;
}

/** @throws ListNameTakenError if one of the lists has the name */
function requireFree(others: readonly SavedList[], name: string): void {
  const key = folded(name);
  if (others.some(({ nameKey }) => nameKey === key)) {
    throw new ListNameTakenError();
  }
}
