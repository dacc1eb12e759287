import type { EntityManager, ObjectLiteral } from 'typeorm';

import { queryRows, type Statement } from '../../database/query-rows.js';
import type { ItemRow } from '../entities/item.entity.js';
import { List } from '../entities/list.entity.js';
import type { ListSummary } from '../entities/list-summary.js';
import { ListRepository } from '../list/list.repository.js';
import { conditionsOf, type PageQuery } from './conditions.js';
import { type PagePosition, sortKeyOf } from './item-order.js';
import { plannedPage, shortPage } from './item-page.sql.js';
import type { ItemsFound, ItemsWanted } from './items-wanted.js';
import { isKept, listSizes } from './list-sizes.js';
import { COSTS, type Facts } from './page-plan.js';
import { type PagePlans, planCount, planPage } from './page-planner.js';
import { sample, type SampleRow, TAGGED_COUNT } from './sample.sql.js';
import { longTotal } from './total.sql.js';

/** The columns beside the first item; the only ones when the page has no items. */
interface HeadRow {
  readonly since: number;
  readonly version: number;
  readonly last_key: string | null;
  readonly tombstones?: readonly (readonly [itemId: string, version: string])[];
  readonly total?: number | null;
}
type FoundRow = HeadRow & (ItemRow | { readonly item_id: null });

/** Up to here one plain statement is best, whatever is asked for. */
const SHORT_LIST = 2000;

/** The reading list of one user, as it is asked for. */
export class ItemQuery {
  constructor(
    private readonly manager: EntityManager,
    private readonly userId: string,
    private readonly limits = { shortList: SHORT_LIST, costs: COSTS },
  ) {}

  /** Reads a page of the list, and the version it has at the same moment. */
  async find(wanted: ItemsWanted, summary?: ListSummary): Promise<ItemsFound> {
    const list = summary ?? (await new ListRepository(List, this.manager).summary(this.userId));
    const query = this.queryFor(wanted, list);
    if (isIdle(query, list)) {
      const { since, version } = list;
      const none = { rows: [], tombstones: [], size: 0, since, version };
      return query.withTotal ? { ...none, total: 0 } : none;
    }
    return list.item_count > this.limits.shortList
      ? this.findInLongList(query, list)
      : foundIn(await this.rows<FoundRow>(shortPage(query)));
  }

  private queryFor(wanted: ItemsWanted, list: ListSummary): PageQuery {
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

  private async findInLongList(query: PageQuery, list: ListSummary): Promise<ItemsFound> {
    const tagged = await this.taggedCount(query);
    const [row] = isKnown(query) ? [] : await this.rows<SampleRow>(sample(query));
    const sizes = listSizes({ list, tagged }, query.conditions, row);
    const facts = { query, sizes, costs: this.limits.costs };
    const found = await this.pageOf(query, planPage(facts));
    return query.withTotal ? { ...found, total: await this.total(facts) } : found;
  }

  /** How many items have the tag; not needed when its index answers everything. */
  private async taggedCount(query: PageQuery): Promise<number | undefined> {
    const { conditions } = query;
    const tag = conditions.find((one) => one.kind === 'tag');
    if (tag === undefined || (conditions.length === 1 && isKnown(query))) {
      return undefined;
    }
    const values = [this.userId, tag.id];
    const [row] = await queryRows<{ item_count: number }>(this.manager, TAGGED_COUNT, values);
    return row?.item_count ?? 0;
  }

  /** An early scan may stop before the page is full; the complete plan fills it. */
  private async pageOf(query: PageQuery, { early, complete }: PagePlans): Promise<ItemsFound> {
    const found = early && foundIn(await this.rows<FoundRow>(plannedPage(query, early)));
    return found?.rows.length === query.page.count
      ? found
      : foundIn(await this.rows<FoundRow>(plannedPage(query, complete)));
  }

  private async total(facts: Facts): Promise<number> {
    const statement = longTotal(facts.query, planCount(facts));
    const [row] = await this.rows<{ total: number }>(statement);
    return row?.total ?? 0;
  }

  private rows<Row extends ObjectLiteral>({ text, values }: Statement): Promise<Row[]> {
    return queryRows<Row>(this.manager, text, values);
  }
}

/** True when nothing has changed after the version that is asked for: most polls of most clients. */
const isIdle = ({ conditions }: PageQuery, { version }: ListSummary): boolean =>
  conditions.some((one) => one.kind === 'since' && one.version >= version);

/** True when the list keeps the number of every condition; in an order other than that of addition, of facets alone. */
const isKnown = ({ conditions, sortKey }: PageQuery): boolean =>
  conditions.every(({ kind }) => kind === 'facet') ||
  (sortKey.column === 'added_order' && conditions.every(isKept));

function foundIn(rows: readonly FoundRow[]): ItemsFound {
  const [head] = rows;
  if (head === undefined) {
    throw new Error('The statement of a page gave no row.');
  }
  const items = rows.filter((row) => row.item_id !== null);
  const { tombstones = [] } = head;
  const end = endOf(head, items.at(-1));
  return {
    rows: items,
    tombstones: tombstones.map(([item_id]) => ({ item_id })),
    size: items.length + tombstones.length,
    since: head.since,
    version: head.version,
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
    const [itemId, version] = lastTombstone;
    return { kind: 'tombstone', version, itemId };
  }
  return lastItem && key !== null ? { kind: 'item', key, itemId: lastItem.item_id } : undefined;
}
