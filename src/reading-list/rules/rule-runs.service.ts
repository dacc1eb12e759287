import { Injectable } from '@nestjs/common';

import { Clock } from '../../platform/common/clock.js';
import { Config } from '../../platform/config/config.js';
import { applyActions } from '../actions/apply-actions.js';
import type { ItemRow } from '../entities/item.entity.js';
import type { SavedList } from '../entities/saved-list.entity.js';
import { ListReader } from '../get/list-reader.js';
import { ListRepository } from '../list/list.repository.js';
import { ListTransactions } from '../list-transactions.js';
import type { ItemFilter } from '../query/items-wanted.js';
import type { RuleActions } from './list-rule.entity.js';
import { changesOf } from './rule-actions.js';
import { type Among, filterOf, matchesAmong } from './rule-matches.js';

/** The number of the latest items that a test checks. */
const TESTED = 100;
/** The maximum number of items that are changed in one transaction. Other changes of the list wait for its end. */
const AT_ONCE = 100;

/** The result of a test: how many of the latest items would have matched. */
interface RuleTest {
  readonly tested: number;
  readonly matches: readonly ItemRow[];
}

/** The number of items that were changed. `hasMore` is true if further items match. */
interface RuleRun {
  readonly changed: number;
  readonly hasMore: boolean;
}

/** Tests the conditions of a rule on the latest items, and applies a rule to the items that match now. */
@Injectable()
export class RuleRuns {
  /** The maximum number of items that `apply` checks. */
  readonly mostItems: number = 5000;

  constructor(
    private readonly reader: ListReader,
    private readonly transactions: ListTransactions,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /**
   * Checks the latest items of the user. New items are unread, so the test ignores a condition that items are unread.
   * Returns undefined if this version does not understand the conditions of the list.
   */
  async test(userId: string, list: SavedList): Promise<RuleTest | undefined> {
    const filter = filterOf(list, this.clock.now());
    if (filter === undefined) {
      return undefined;
    }
    const latest = { filter: {}, order: 'newest', page: { count: TESTED, offset: 0 } } as const;
    const { rows } = await this.reader.page(userId, latest);
    const itemIds = rows.map(({ item_id: itemId }) => itemId);
    const matching = { ...latest, filter: { ...asAdded(filter), itemIds } };
    const { rows: matches } = await this.reader.page(userId, matching);
    return { tested: rows.length, matches };
  }

  /** Returns the number of items that match a list now. Undefined if this version does not understand its conditions. */
  async count(userId: string, list: SavedList): Promise<number | undefined> {
    const filter = filterOf(list, this.clock.now());
    const page = { count: 1, offset: 0 };
    return (
      filter &&
      (await this.reader.page(userId, { filter, order: 'newest', page, withTotal: true })).total
    );
  }

  /**
   * Applies actions to the items that match a list now, in batches. Sends nothing to the e-reader. A repeated call
   * changes nothing.
   */
  async apply(userId: string, list: SavedList, actions: RuleActions): Promise<RuleRun> {
    const filter = filterOf(list, this.clock.now());
    if (filter === undefined) {
      return { changed: 0, hasMore: false };
    }
    const { itemIds, hasMore } = await this.idsOf(userId, filter);
    let changed = 0;
    for (let at = 0; at < itemIds.length; at += AT_ONCE) {
      const among = { filter, itemIds: itemIds.slice(at, at + AT_ONCE) };
      changed += await this.change(userId, among, actions);
    }
    return { changed, hasMore };
  }

  private async idsOf(
    userId: string,
    filter: ItemFilter,
  ): Promise<{ readonly itemIds: readonly string[]; readonly hasMore: boolean }> {
    const itemIds: string[] = [];
    for await (const row of this.reader.rows(userId, { filter, order: 'newest' })) {
      if (itemIds.length === this.mostItems) {
        return { itemIds, hasMore: true };
      }
      itemIds.push(row.item_id);
    }
    return { itemIds, hasMore: false };
  }

  /**
   * Changes those of the items that still match, in one transaction. Returns the number of items that were changed.
   */
  private async change(userId: string, among: Among, actions: RuleActions): Promise<number> {
    const { storageLimitBytes: storageLimit } = this.config;
    const outcomes = await this.transactions.run(userId, async (manager, now) => {
      await ListRepository.in(manager).lock(userId);
      const rows = await matchesAmong(manager, userId, among);
      const changes = rows.flatMap((row) => changesOf(row, actions));
      return applyActions(manager, userId, { actions: changes, now, storageLimit });
    });
    return new Set(outcomes.flatMap((one) => (one.ok ? (one.itemId ?? []) : []))).size;
  }
}

/** Returns the filter as an item meets it at its addition, when it is unread. */
function asAdded(filter: ItemFilter): ItemFilter {
  const { state, ...others } = filter;
  return state === 'unread' ? others : filter;
}
