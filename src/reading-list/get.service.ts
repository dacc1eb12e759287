import { Injectable } from '@nestjs/common';

import { Database } from '../database/database.js';
import { ItemQuery } from './list/item.query.js';
import type { ItemsWanted } from './list/item-filter.js';
import type { ItemsFound } from './list/items-found.js';
import { TagList } from './list/tag-list.js';

@Injectable()
export class GetService {
  constructor(private readonly database: Database) {}

  find(userId: string, wanted: ItemsWanted): Promise<ItemsFound> {
    return this.database.read((manager) => new ItemQuery(manager, userId).find(wanted));
  }

  /** The names of all tags; undefined when none has changed after the stamp. */
  tagNames(userId: string, changedSince: number | undefined): Promise<string[] | undefined> {
    return this.database.read((manager) => new TagList(manager, userId).names(changedSince));
  }
}
