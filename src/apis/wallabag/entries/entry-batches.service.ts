import { Injectable } from '@nestjs/common';

import type { Action } from '../../../reading-list/actions/action.js';
import { DeletionsService } from '../../../reading-list/deletions/deletions.service.js';
import { ItemRepository } from '../../../reading-list/list/item.repository.js';
import { EntryActions } from './entry-actions.service.js';
import type { NamedEntry, TaggedEntry } from './entry-batch.request.js';
import { EntryWriter } from './entry-writer.service.js';

/** Writes several entries of a list; each is named by its URL. */
@Injectable()
export class EntryBatches {
  constructor(
    private readonly writer: EntryWriter,
    private readonly actions: EntryActions,
    private readonly items: ItemRepository,
    private readonly deletions: DeletionsService,
  ) {}

  /** Gives the id of each item, undefined for what is no URL. Their pages are read later. Throws StorageFullError, and then saves none. */
  async save(userId: string, entries: readonly NamedEntry[]): Promise<(string | undefined)[]> {
    const ids = await this.writer.saveAll(
      userId,
      entries.flatMap(({ address }) => address ?? []),
    );
    const saved = ids.values();
    return entries.map(({ address }) => (address === undefined ? undefined : saved.next().value));
  }

  /** Tells of each whether it was there. */
  async delete(userId: string, entries: readonly NamedEntry[]): Promise<boolean[]> {
    const ids: (string | undefined)[] = [];
    for (const { address } of entries) {
      ids.push(address && (await this.items.rowAt(userId, address))?.item_id);
    }
    const known = [...new Set(ids.filter((id) => id !== undefined))];
    const outcomes = await this.deletions.delete(userId, known);
    const gone = new Set(
      outcomes.flatMap((one) => (one.ok && one.itemId !== undefined ? [one.itemId] : [])),
    );
    return ids.map((id) => id !== undefined && gone.has(id));
  }

  /** Gives the id of each item, undefined for one that is not there. Throws ValidationFailedError, StorageFullError, and then changes none. */
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

/** What is not there is no mistake of the call. */
const NOT_FOUND = 198;
