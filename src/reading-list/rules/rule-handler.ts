import { Injectable } from '@nestjs/common';
import { type EntityManager, In } from 'typeorm';

import { Clock } from '../../platform/common/clock.js';
import { Config } from '../../platform/config/config.js';
import type { Action } from '../actions/action.js';
import { applyActions } from '../actions/apply-actions.js';
import { Item } from '../entities/item.entity.js';
import { NOT_FETCHED } from '../entities/page-columns.js';
import type { EventKind, ListEvent } from '../events/list-event.entity.js';
import { ListEventHandler } from '../events/list-event-handler.js';
import { ListRepository } from '../list/list.repository.js';
import { measureStorage } from '../storage/measure-storage.js';
import { StorageUnmeasuredError } from '../storage/storage-room.js';
import type { ListRule } from './list-rule.entity.js';
import { ListRuleRepository } from './list-rule.repository.js';
import { ListRuleMailRepository } from './list-rule-mail.repository.js';
import { actionsOn, isUnderstood } from './rule-actions.js';
import { filterOf, matchesAmong } from './rule-matches.js';
import { SUBSCRIBER } from './rule-subscription.js';
import { RuleTexts } from './rule-texts.js';

/** The items of the events that one delivery contains. */
interface NewItems {
  readonly added: readonly Pick<Item, 'itemId' | 'number' | 'resolvedId'>[];
  readonly fetched: readonly string[];
}

/** A rule, and the items on which it acts. */
interface Match {
  readonly rule: ListRule;
  readonly itemIds: readonly string[];
}

/** Applies the rules of saved lists to new items, once when they are added, and once when their pages are fetched. */
@Injectable()
export class RuleHandler extends ListEventHandler {
  override readonly name = SUBSCRIBER;

  constructor(
    private readonly texts: RuleTexts,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {
    super();
  }

  override async handle(
    userId: string,
    events: readonly ListEvent[],
    manager: EntityManager,
  ): Promise<void> {
    const addedIds = idsOf(events, 'item.added');
    const fetched = await fetchedIn(events, userId, manager);
    if (addedIds.length + fetched.length === 0) {
      return;
    }
    const rules = ListRuleRepository.in(manager);
    const now = this.clock.now();
    const checked = { userId, itemIds: [...addedIds, ...fetched], now };
    await this.texts.indexFor(await rules.active(userId), checked);
    await ListRepository.in(manager).lock(userId);
    const added = await manager.find(Item, {
      select: { itemId: true, number: true, resolvedId: true },
      where: { userId, itemId: In(addedIds) },
    });
    const active = (await rules.active(userId)).filter(isUnderstood);
    await this.texts.checkIndexed(manager, active, checked);
    const matches = await matchesOf(manager, active, { userId, now, added, fetched });
    await this.act(manager, userId, matches);
    await rules.endWait(userId, fetched);
    await rules.wait(unmatched(matches, { added, fetched }));
    if (added.length > 0) {
      await rules.advance(userId, Math.max(...added.map(({ number }) => number)));
    }
  }

  private async act(
    manager: EntityManager,
    userId: string,
    matches: readonly Match[],
  ): Promise<void> {
    const actions = matches.flatMap(({ rule, itemIds }) =>
      itemIds.flatMap((itemId) => actionsOn(itemId, rule.actions)),
    );
    await this.apply(manager, userId, actions);
    const mailed = matches.filter(({ rule }) => rule.actions.eReader === true);
    const itemIds = new Set(mailed.flatMap((one) => one.itemIds));
    await ListRuleMailRepository.in(manager).queue(userId, [...itemIds]);
  }

  /** Applies actions. If the size of the list is not known, measures it first, as `ListTransactions` does. */
  private async apply(
    manager: EntityManager,
    userId: string,
    actions: readonly Action[],
  ): Promise<void> {
    const { storageLimitBytes: storageLimit } = this.config;
    const batch = { actions, now: this.clock.seconds(), storageLimit };
    try {
      await applyActions(manager, userId, batch);
    } catch (error) {
      if (!(error instanceof StorageUnmeasuredError)) {
        throw error;
      }
      await measureStorage(manager, userId);
      await applyActions(manager, userId, batch);
    }
  }
}

const idsOf = (events: readonly ListEvent[], wanted: EventKind): string[] => [
  ...new Set(events.flatMap(({ kind, itemId }) => (kind === wanted ? (itemId ?? []) : []))),
];

/**
 * Returns the items whose pages were fetched. If many pages were delivered at once, the event has only their number, so
 * finds the items that wait for their pages.
 */
async function fetchedIn(
  events: readonly ListEvent[],
  userId: string,
  manager: EntityManager,
): Promise<readonly string[]> {
  const ids = idsOf(events, 'item.fetched');
  const isBulk = events.some(({ kind, count }) => kind === 'item.fetched' && count !== null);
  const others = isBulk ? await ListRuleRepository.in(manager).waitingWithPage(userId) : [];
  return [...new Set([...ids, ...others])];
}

/** Returns the items on which each rule acts. Reads all of them before the first rule changes an item. */
async function matchesOf(
  manager: EntityManager,
  active: readonly ListRule[],
  { userId, now, ...items }: NewItems & { readonly userId: string; readonly now: Date },
): Promise<Match[]> {
  const waiting = await ListRuleRepository.in(manager).waiting(userId, items.fetched);
  const matches: Match[] = [];
  for (const rule of active) {
    const filter = filterOf(rule.list, now);
    const again = waiting.flatMap((one) => (one.listId === rule.listId ? one.itemId : []));
    const itemIds = [...newTo(rule, items).filter((id) => isReady(rule, items, id)), ...again];
    if (filter !== undefined) {
      const rows = await matchesAmong(manager, userId, { filter, itemIds });
      matches.push({ rule, itemIds: rows.map(({ item_id: itemId }) => itemId) });
    }
  }
  return matches;
}

/** Returns the items that were added after the rule was turned on, and that it has not seen. */
const newTo = ({ lastNumber }: ListRule, { added }: NewItems): readonly string[] =>
  added.filter(({ number }) => number > lastNumber).map(({ itemId }) => itemId);

/** Returns false if the rule sends the item to the e-reader and its article is still missing. */
const isReady = ({ actions }: ListRule, items: NewItems, itemId: string): boolean =>
  actions.eReader !== true || !isUnfetched(items, itemId);

const isUnfetched = ({ added, fetched }: NewItems, itemId: string): boolean =>
  !fetched.includes(itemId) &&
  added.some((item) => item.itemId === itemId && item.resolvedId === NOT_FETCHED);

/** Returns the new items that rules check again when their pages are fetched. */
const unmatched = (matches: readonly Match[], items: NewItems) =>
  matches.flatMap(({ rule, itemIds }) =>
    newTo(rule, items)
      .filter((itemId) => !itemIds.includes(itemId) && isUnfetched(items, itemId))
      .map((itemId) => ({ userId: rule.userId, listId: rule.listId, itemId })),
  );
