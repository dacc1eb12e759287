import { Injectable } from '@nestjs/common';

import { ItemNotFoundError } from '../../../reading-list/reading-list.errors.js';
import type { WallabagUser } from '../wallabag.guard.js';
import type { EntryResponse } from './entry.presenter.js';
import { EntryReader } from './entry-reader.service.js';

/** What writes answer with. */
@Injectable()
export class EntryAnswers {
  constructor(private readonly entries: EntryReader) {}

  /** The id of the item that a path names. Throws NotFoundException. */
  async itemId({ id }: WallabagUser, entry: string): Promise<string> {
    return (await this.entries.named(String(id), entry)).item_id;
  }

  /** The entry as it is now; another call may have deleted it. Throws ItemNotFoundError. */
  async entry(user: WallabagUser, itemId: string): Promise<EntryResponse> {
    const row = await this.entries.byItemId(String(user.id), itemId);
    const [entry] = row === undefined ? [] : await this.entries.present(user, [row], 'full');
    if (entry === undefined) {
      throw new ItemNotFoundError();
    }
    return entry;
  }
}
