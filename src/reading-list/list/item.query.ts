import type { EntityManager } from 'typeorm';

import { run, type Statement } from '../../database/statements.js';
import { chooseCount } from './count-plan.js';
import { choosePlans, type Plans } from './item.plan.js';
import type { ItemsWanted } from './item-filter.js';
import { sortKeyOf } from './item-order.js';
import type { ItemRow } from './item-row.js';
import type { ItemsFound } from './items-found.js';
import { type KeptSizes, type ListSizes, listSizes } from './list-sizes.js';
import { conditionsOf } from './narrowing.js';
import { COSTS } from './plan-costs.js';
import { longTotal } from './plans/long-total.js';
import { keptSizes, opening, type OpeningRow } from './plans/opening.js';
import type { PageQuery } from './plans/page-query.js';
import { plannedPage } from './plans/planned-page.js';
import { estimatedOf, sample, type SampleRow } from './plans/sample.js';

/** What is beside the first item, and stands alone when there is none. */
interface HeadRow extends Partial<OpeningRow> {
  readonly since: string;
  readonly tombstones?: readonly string[];
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

  /** Reads a page of the list, and the stamp it has at the same moment. */
  async find(wanted: ItemsWanted): Promise<ItemsFound> {
    const query = this.queryFor(wanted);
    const rows = await this.rows(opening(query, this.limits.shortList));
    const kept = keptSizes(rows[0]);
    return kept === undefined || isIdle(query, kept)
      ? { ...foundIn(rows), ...(kept !== undefined && query.withTotal && { total: 0 }) }
      : this.findInLongList({ ...query, hasTexts: kept.hasSearchIndex }, kept);
  }

  private queryFor(wanted: ItemsWanted): PageQuery {
    const { filter, page, withTotal = false } = wanted;
    const conditions = conditionsOf(filter);
    return {
      userId: this.userId,
      conditions,
      sortKey: sortKeyOf(wanted),
      page,
      withTotal,
      hasTexts: false,
    };
  }

  private async sizes(query: PageQuery, kept: KeptSizes): Promise<ListSizes> {
    const [row] = isKnown(query) ? [] : await run<SampleRow>(this.manager, sample(query));
    return listSizes(kept, query.conditions, row);
  }

  private async findInLongList(query: PageQuery, kept: KeptSizes): Promise<ItemsFound> {
    const sizes = await this.sizes(query, kept);
    const found = await this.pageOf(query, choosePlans(query, sizes, this.limits.costs));
    return query.withTotal ? { ...found, total: await this.total(query, sizes) } : found;
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
const isIdle = ({ conditions }: PageQuery, { stamp }: KeptSizes): boolean =>
  conditions.some((one) => one.kind === 'since' && one.stamp >= stamp);

/** True when the list keeps every number, and the order cannot surprise. */
const isKnown = ({ conditions, sortKey }: PageQuery): boolean =>
  conditions.every(({ kind }) => kind === 'facet') ||
  (sortKey.column === 'time_added' && estimatedOf(conditions).length === 0);

function foundIn(rows: readonly FoundRow[]): ItemsFound {
  const [head] = rows;
  return {
    rows: rows.filter((row) => row.item_id !== null),
    tombstones: (head?.tombstones ?? []).map((item_id) => ({ item_id })),
    since: Number(head?.since),
    ...(typeof head?.total === 'number' && { total: head.total }),
  };
}
