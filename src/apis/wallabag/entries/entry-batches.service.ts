import { Injectable } from '@nestjs/common';

import type { Action } from '../../../reading-list/actions/action.js';
import { ItemRepository } from '../../../reading-list/list/item.repository.js';
import { EntryActions } from './entry-actions.service.js';
import type { NamedEntry, TaggedEntry } from './entry-batch.request.js';
import { EntryWriter } from './entry-writer.service.js';

/** Adds, changes and deletes several entries of a list. Each entry is identified by its URL. */
@Injectable()
export class EntryBatches {
  constructor(
    private readonly writer: EntryWriter,
    private readonly actions: EntryActions,
    private readonly items: ItemRepository,
  ) {}

  /**
   * Adds entries. Returns the item id for each URL, or undefined for a text that is not a URL. The pages are fetched
   * later.
   *
   * @throws StorageFullError; no entry is saved in this case
   */
  async save(userId: string, entries: readonly NamedEntry[]): Promise<(string | undefined)[]> {
    const ids = await this.writer.saveAll(
      userId,
      entries.flatMap(({ address }) => address ?? []),
    );
    const saved = ids.values();
    return entries.map(({ address }) => (address === undefined ? undefined : saved.next().value));
  }

  /** Deletes entries. Returns true for each entry that was in the list, and false for each other entry. */
  async delete(userId: string, entries: readonly NamedEntry[]): Promise<boolean[]> {
    const ids: (string | undefined)[] = [];
    for (const { address } of entries) {
      ids.push(address && (await this.items.rowAt(userId, address))?.item_id);
    }
    const known = [...new Set(ids.filter((id) => id !== undefined))];
    const outcomes = await this.actions.delete(userId, known);
    const gone = new Set(
      outcomes.flatMap((one) => (one.ok && one.itemId !== undefined ? [one.itemId] : [])),
    );
    return ids.map((id) => id !== undefined && gone.has(id));
  }

  /**
   * Changes the tags of entries. Returns the item id of each entry, or undefined for an entry that is not in the list.
   *
   * @throws ValidationFailedError, StorageFullError; no entry is changed in these cases
   */
  tag(
    userId: string,
    entries: readonly TaggedEntry[],
    change: 'tags_add' | 'tags_remove',
  ): Promise<(string | undefined)[]> {
    return this.actions.underLock(userId, async (list) => {
      const actions = entries.flatMap(({ address, tags }): Action[] =>
        address ? [{ action: change, item: { address }, tags, time: undefined }] : [],
      );
      const outcomes = await list.apply(actions);
      const ids = outcomes.values();
      return entries.map(({ address }) => {
        const outcome = address && ids.next().value;
        if (outcome?.ok === false && outcome.refusal.code !== NOT_FOUND) {
          throw outcome.refusal.error;
        }
        return outcome?.ok === true ? outcome.itemId : undefined;
      });
    });
  }
}

/** The error code of a missing item. A missing item does not make a batch fail. */
const NOT_FOUND = 198;
