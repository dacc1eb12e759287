import { Injectable } from '@nestjs/common';

import { ItemNotFoundError } from '../../../reading-list/reading-list.errors.js';
import type { WallabagUser } from '../wallabag.guard.js';
import type { EntryResponse } from './entry.presenter.js';
import { EntryReader } from './entry-reader.service.js';

/** Prepares the responses of calls that change entries. */
@Injectable()
export class EntryAnswers {
  constructor(private readonly entries: EntryReader) {}

  /**
   * Returns the item id for the numeric id of an entry in the path.
   *
   * @throws NotFoundException if there is no entry with this numeric id
   */
  async itemId({ id }: WallabagUser, entry: string): Promise<string> {
    return (await this.entries.named(String(id), entry)).item_id;
  }

  /**
   * Returns an entry in its current state.
   *
   * @throws ItemNotFoundError if another call has deleted the entry
   */
  async entry(user: WallabagUser, itemId: string): Promise<EntryResponse> {
    const row = await this.entries.byItemId(String(user.id), itemId);
    const [entry] = row === undefined ? [] : await this.entries.present(user, [row], 'full');
    if (entry === undefined) {
      throw new ItemNotFoundError();
    }
    return entry;
  }
}
