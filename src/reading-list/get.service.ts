import { Injectable } from '@nestjs/common';

import { Clock } from '../common/clock.js';
import { Config } from '../config/config.js';
import type { Principal } from '../consumers/principal.js';
import { Database } from '../database/database.js';
import type { ListHead } from './entities/list-head.js';
import { type AnnotationsByItem, findAnnotations } from './list/annotation-list.js';
import { ItemQuery } from './list/item.query.js';
import type { ItemsWanted, KnownSince } from './list/item-filter.js';
import type { ItemsFound } from './list/items-found.js';
import { TagList } from './list/tag-list.js';
import { ListTurns } from './list-turns.js';
import { type OpenedPage, PageCursors, type PageEnd, wantedOf } from './page-cursors.js';

/** Of one user, half of the connections: a user's searches may take seconds, and the calls of others go on. */
const SHARE_OF_CONNECTIONS = 0.5;
const MOST_READS = 256;

@Injectable()
export class GetService {
  private readonly turns: ListTurns;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly cursors: PageCursors,
  ) {
    const atOnce = Math.floor(config.databasePoolSize * SHARE_OF_CONNECTIONS);
    this.turns = new ListTurns({ atOnce, most: MOST_READS });
  }

  /** After which stamps it is known what changed: deletions before the oldest may be forgotten. */
  knownSince(list: ListHead): KnownSince {
    const remembered = this.clock.seconds() - this.config.tombstoneTtlSeconds;
    return { oldest: Math.max(remembered, list.era), newest: list.newest_since };
  }

  /** Looks up which page the client has read before this one. */
  open(principal: Principal, wanted: ItemsWanted): Promise<OpenedPage> {
    return this.cursors.open(principal, wanted);
  }

  /** The head of the list may be older than the page, and not older than the call. Throws ServiceBusyError. */
  async find(page: OpenedPage, head: ListHead): Promise<ItemsFound> {
    const { userId } = page.question;
    const found = await this.turns.take(userId, () =>
      this.database.read((manager) => new ItemQuery(manager, userId).find(wantedOf(page), head)),
    );
    const continued = continuedBy(page, found);
    await this.cursors.note(page, continued);
    return continued;
  }

  /** The client is given a page that was read earlier, and is the same now. */
  async giveAgain(page: OpenedPage, read: PageEnd): Promise<void> {
    await this.cursors.note(page, read);
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

/**
 * Each page has the `since` of the first one, so that what changes while pages are read comes with the next delta
 * whichever of them it begins from. A total ends at the last page: neither before, nor behind what has come.
 */
function continuedBy({ wanted, continuation }: OpenedPage, found: ItemsFound): ItemsFound {
  if (continuation === undefined) {
    return found;
  }
  const { since, commonVersion, total: shown } = continuation;
  if (found.total === undefined || commonVersion === found.stamp) {
    return { ...found, since };
  }
  const { offset, count } = wanted.page;
  const total = Math.max(found.total, shown);
  const end = offset + found.size;
  return {
    ...found,
    since,
    total: found.size < count ? Math.min(total, end) : Math.max(total, end + 1),
  };
}
