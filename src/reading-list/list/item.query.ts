import type { EntityManager } from 'typeorm';

import { run, type Statement } from '../../database/statements.js';
import type { ListHead } from '../entities/list-head.js';
import { chooseCount } from './count-plan.js';
import { choosePlans, type Plans } from './item.plan.js';
import type { ItemsWanted } from './item-filter.js';
import { sortKeyOf } from './item-order.js';
import type { ItemRow } from './item-row.js';
import type { ItemsFound } from './items-found.js';
import { keptSizes, type ListSizes, listSizes } from './list-sizes.js';
import { conditionsOf } from './narrowing.js';
import type { PagePosition } from './page-position.js';
import { COSTS } from './plan-costs.js';
import { longTotal } from './plans/long-total.js';
import type { PageQuery } from './plans/page-query.js';
import { plannedPage } from './plans/planned-page.js';
import { estimatedOf, sample, type SampleRow } from './plans/sample.js';
import { shortPage } from './plans/short-page.js';
import { readListHead } from './read-list-head.js';

/** What is beside the first item, and stands alone when there is none. */
interface HeadRow {
  readonly since: number;
  readonly stamp: number;
  readonly last_key: string | null;
  readonly tombstones?: readonly (readonly [itemId: string, stamp: string])[];
  readonly total?: number | null;
}
type FoundRow = HeadRow & (ItemRow | { readonly item_id: null });

/** Up to here one plain statement is best, whatever is asked for. */
const SHORT_LIST = 2000;

const TAGGED = `SELECT item_count FROM tags WHERE user_id = $1 AND tag_id = $2`;

/** The reading list of one user, as it is asked for. */
export class ItemQuery {
  constructor(
    private readonly manager: EntityManager,
    private readonly userId: string,
    private readonly limits = { shortList: SHORT_LIST, costs: COSTS },
  ) {}

  /** Reads a page of the list, and the stamp it has at the same moment. */
  async find(wanted: ItemsWanted, head?: ListHead): Promise<ItemsFound> {
    const list = head ?? (await readListHead(this.manager, this.userId));
    const query = this.queryFor(wanted, list);
    if (isIdle(query, list)) {
      const { since, stamp } = list;
      return {
        rows: [],
        tombstones: [],
        size: 0,
        since,
        stamp,
        ...(query.withTotal && { total: 0 }),
      };
    }
    return list.item_count > this.limits.shortList
      ? this.findInLongList(query, list)
      : foundIn(await this.rows(shortPage(query)));
  }

  private queryFor(wanted: ItemsWanted, list: ListHead): PageQuery {
    const { filter, page, withTotal = false } = wanted;
    const conditions = conditionsOf(filter);
    return {
      userId: this.userId,
      conditions,
      sortKey: sortKeyOf(wanted),
      page,
      withTotal,
      hasTexts: list.has_search_index,
    };
  }

  private async findInLongList(query: PageQuery, list: ListHead): Promise<ItemsFound> {
    const kept = keptSizes(list, await this.tagged(query));
    const [row] = isKnown(query) ? [] : await run<SampleRow>(this.manager, sample(query));
    const sizes = listSizes(kept, query.conditions, row);
    const found = await this.pageOf(query, choosePlans(query, sizes, this.limits.costs));
    return query.withTotal ? { ...found, total: await this.total(query, sizes) } : found;
  }

  /** How many items have the tag; nobody needs to know when its index answers everything. */
  private async tagged(query: PageQuery): Promise<number | undefined> {
    const { conditions } = query;
    const tag = conditions.find((one) => one.kind === 'tag');
    if (tag === undefined || (conditions.length === 1 && isKnown(query))) {
      return undefined;
    }
    const values = [this.userId, tag.id];
    const [row] = await run<{ item_count: number }>(this.manager, { text: TAGGED, values });
    return row?.item_count ?? 0;
  }

  /** A walk may give up before the page is full; the plan after it does not. */
  private async pageOf(query: PageQuery, { quick, complete }: Plans): Promise<ItemsFound> {
    const found = quick && foundIn(await this.rows(plannedPage(query, quick)));
    return found?.rows.length === query.page.count
      ? found
      : foundIn(await this.rows(plannedPage(query, complete)));
  }

  private async total(query: PageQuery, sizes: ListSizes): Promise<number> {
    const plan = chooseCount({ query, sizes, costs: this.limits.costs });
    const [row] = await run<{ total: number }>(this.manager, longTotal(query, plan));
    return row?.total ?? 0;
  }

  private rows(statement: Statement): Promise<FoundRow[]> {
    return run<FoundRow>(this.manager, statement);
  }
}

/** True when nothing has changed after the stamp that is asked for: most polls of most clients. */
const isIdle = ({ conditions }: PageQuery, { stamp }: ListHead): boolean =>
  conditions.some((one) => one.kind === 'since' && one.stamp >= stamp);

/** True when the list keeps every number, and the order cannot surprise. */
const isKnown = ({ conditions, sortKey }: PageQuery): boolean =>
  conditions.every(({ kind }) => kind === 'facet') ||
  (sortKey.column === 'added_order' && estimatedOf(conditions).length === 0);

function foundIn(rows: readonly FoundRow[]): ItemsFound {
  const [head] = rows;
  if (head === undefined) {
    throw new Error('a statement that always has a row had none');
  }
  const items = rows.filter((row) => row.item_id !== null);
  const { tombstones = [] } = head;
  const end = endOf(head, items.at(-1));
  return {
    rows: items,
    tombstones: tombstones.map(([item_id]) => ({ item_id })),
    size: items.length + tombstones.length,
    since: head.since,
    stamp: head.stamp,
    ...(end !== undefined && { end }),
    ...(typeof head.total === 'number' && { total: head.total }),
  };
}

function endOf(
  { tombstones, last_key: key }: HeadRow,
  lastItem: ItemRow | undefined,
): PagePosition | undefined {
  const lastTombstone = tombstones?.at(-1);
  if (lastTombstone !== undefined) {
    const [itemId, stamp] = lastTombstone;
    return { kind: 'tombstone', stamp, itemId };
  }
  return lastItem && key !== null ? { kind: 'item', key, itemId: lastItem.item_id } : undefined;
}
