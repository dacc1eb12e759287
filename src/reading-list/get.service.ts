import { Injectable } from '@nestjs/common';

import { Clock } from '../common/clock.js';
import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import type { ListHead } from './entities/list-head.js';
import { type AnnotationsByItem, findAnnotations } from './list/annotation-list.js';
import { ItemQuery } from './list/item.query.js';
import type { ItemsWanted } from './list/item-filter.js';
import type { ItemsFound } from './list/items-found.js';
import { TagList } from './list/tag-list.js';
import { ListTurns } from './list-turns.js';

/** Of one user, and at most half of the connections: a user's searches may take seconds, and all others go on. */
const READS_AT_ONCE = 4;
const MOST_READS = 256;

@Injectable()
export class GetService {
  private readonly turns: ListTurns;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {
    const atOnce = Math.min(READS_AT_ONCE, Math.floor(config.databasePoolSize / 2));
    this.turns = new ListTurns({ atOnce, most: MOST_READS });
  }

  /** What changed after an earlier stamp is not known in full: deletions before it may be forgotten. */
  oldestSince(): number {
    return this.clock.seconds() - this.config.tombstoneTtlSeconds;
  }

  /** The head of the list may be older than the page, and not older than the call. Throws ServiceBusyError. */
  find(userId: string, wanted: ItemsWanted, head: ListHead): Promise<ItemsFound> {
    return this.turns.take(userId, () =>
      this.database.read((manager) => new ItemQuery(manager, userId).find(wanted, head)),
    );
  }

  /** Read after the items: what changed in between comes once more with the next delta. */
  annotations(userId: string, itemIds: readonly string[]): Promise<AnnotationsByItem> {
    return this.database.read((manager) => findAnnotations(manager, userId, itemIds));
  }

  /** The names of all tags; undefined when none has changed after the stamp. */
  tagNames(userId: string, changedSince: number | undefined): Promise<string[] | undefined> {
    return this.database.read((manager) => new TagList(manager, userId).names(changedSince));
  }
}
