import type { EntityManager, ObjectLiteral } from 'typeorm';

import type { ListSummary } from '../../auth/consumers/caller-lists.js';
import { queryRows, type Statement } from '../../platform/database/query-rows.js';
import type { ItemRow } from '../entities/item.entity.js';
import { ItemText } from '../entities/item-text.entity.js';
import { List } from '../entities/list.entity.js';
import { ListRepository } from '../list/list.repository.js';
import type { CompiledTextQuery } from '../texts/compiled-query.js';
import { ItemTextRepository } from '../texts/item-text.repository.js';
import { conditionsOf, type PageQuery, type TextCondition } from './conditions.js';
import { PHRASES_AMONG } from './conditions.sql.js';
import { type PagePosition, sortKeyOf } from './item-order.js';
import { plannedPage, shortPage } from './item-page.sql.js';
import type { ItemsFound, ItemsWanted, PageOfItems } from './items-wanted.js';
import { isKept, listSizes } from './list-sizes.js';
import { fromNearerEnd } from './page-ends.js';
import { COSTS, isFoundInOrder } from './page-plan.js';
import { type CountPlan, type PagePlans, planCount, planPage } from './page-planner.js';
import { roundsOf } from './ranking.sql.js';
import { sample, type SampleRow, TAGGED_COUNT } from './sample.sql.js';
import { longTotal } from './total.sql.js';

/** The columns beside the first item; the only ones when the page has no items. */
interface HeadRow {
  readonly since: number;
  readonly version: number;
  readonly last_key: string | null;
  readonly tombstones?: readonly (readonly [itemId: string, version: string])[];
  readonly total?: number | null;
  /** How many items were ranked; undefined when the order is another one. */
  readonly ranked?: number;
}
type FoundRow = HeadRow & (ItemRow | { readonly item_id: null });

/** From here on what a page leaves out costs more than the question whether anything is left (docs/decisions/0091). */
const LATE = 1000;

/** Up to here one plain statement is best, whatever is asked for. */
const SHORT_LIST = 2000;

interface Limits {
  readonly shortList: number;
  readonly costs: typeof COSTS;
  /** The least offset of a late page. */
  readonly late?: number;
}

/** The reading list of one user, as it is asked for. */
export class ItemQuery {
  constructor(
    private readonly manager: EntityManager,
    private readonly userId: string,
    private readonly limits: Limits = { shortList: SHORT_LIST, costs: COSTS },
  ) {}

  /** Reads a page of the list, and the version it has at the same moment. */
  async find(wanted: ItemsWanted, summary?: ListSummary): Promise<ItemsFound> {
    const list = summary ?? (await new ListRepository(List, this.manager).summary(this.userId));
    const query = await this.queryFor(wanted, list);
    if (query === undefined || isIdle(query, list)) {
      const { since, version } = list;
      const none = { rows: [], tombstones: [], size: 0, since, version };
      return wanted.withTotal === true ? { ...none, total: 0 } : none;
    }
    return list.item_count > this.limits.shortList
      ? this.findInLongList(query, list)
      : foundIn(await this.rows<FoundRow>(shortPage(query)));
  }

  /** Undefined when the text to search for has no word that could be found. */
  private async queryFor(wanted: ItemsWanted, list: ListSummary): Promise<PageQuery | undefined> {
    const { filter, page, withTotal = false, withNotes = false } = wanted;
    const text = filter.text === undefined ? undefined : await this.compiled(filter.text);
    if (filter.text !== undefined && text === undefined) {
      return undefined;
    }
    const conditions = conditionsOf(filter, text);
    return {
      userId: this.userId,
      conditions,
      sortKey: sortKeyOf(wanted),
      withTotal,
      withNotes,
      hasTexts: list.has_search_index,
      ...(wanted.isRanked === true && text !== undefined
        ? { page: roundsOf(page), ranking: { by: text, page }, isLate: false }
        : { page, isLate: this.isLate(page) }),
    };
  }

  private isLate({ offset }: PageOfItems): boolean {
    return offset >= (this.limits.late ?? LATE);
  }

  private compiled(text: string): Promise<CompiledTextQuery | undefined> {
    return new ItemTextRepository(ItemText, this.manager).compile(this.userId, text);
  }

  private async findInLongList(query: PageQuery, list: ListSummary): Promise<ItemsFound> {
    const text = query.conditions.find((one) => one.kind === 'text');
    return text?.query.phrases === undefined
      ? this.findAsPlanned(query, list)
      : this.findPhrase(query, { ...text, isCommon: await this.isCommon(query, text, list) });
  }

  /** What has a phrase is a short set, and dear to find: it is found once. */
  private async findPhrase(asked: PageQuery, by: TextCondition): Promise<ItemsFound> {
    const conditions = asked.conditions.map((one) => (one.kind === 'text' ? by : one));
    const query = { ...asked, conditions };
    const found = await this.pageOf(query, { complete: { kind: 'id set', by } });
    return query.withTotal
      ? { ...found, total: await this.count(query, { by, semiJoins: [] }) }
      : found;
  }

  /** True when it takes less to look for the words item by item than to fetch all items that have them. */
  private async isCommon(
    asked: PageQuery,
    text: TextCondition,
    list: ListSummary,
  ): Promise<boolean> {
    const words = { ...text, query: { ...text.query, phrases: undefined } };
    const sortKey = sortKeyOf({ filter: {}, order: 'newest', page: asked.page });
    const query = { ...asked, conditions: [words], sortKey };
    const [row] = await this.rows<SampleRow>(sample(query));
    const sizes = listSizes({ list }, [words], row);
    return isFoundInOrder({ query, sizes, costs: this.limits.costs }, words, PHRASES_AMONG);
  }

  private async findAsPlanned(asked: PageQuery, list: ListSummary): Promise<ItemsFound> {
    const tagged = await this.taggedCount(asked);
    const query = fromNearerEnd(asked, listSizes({ list, tagged }, asked.conditions));
    const [row] = isKnown(query) ? [] : await this.rows<SampleRow>(sample(query));
    const sizes = listSizes({ list, tagged }, query.conditions, row);
    const facts = { query, sizes, costs: this.limits.costs };
    const found = await this.pageOf(query, planPage(facts));
    return query.withTotal ? { ...found, total: await this.count(query, planCount(facts)) } : found;
  }

  /** How many items have the tag; not needed when its index answers everything. */
  private async taggedCount(query: PageQuery): Promise<number | undefined> {
    const { conditions } = query;
    const tag = conditions.find((one) => one.kind === 'tag');
    if (tag === undefined || (conditions.length === 1 && isKnown(query) && !query.isLate)) {
      return undefined;
    }
    const values = [this.userId, tag.id];
    const [row] = await queryRows<{ item_count: number }>(this.manager, TAGGED_COUNT, values);
    return row?.item_count ?? 0;
  }

  /** An early scan may stop before the page is full; the complete plan fills it. */
  private async pageOf(
    query: PageQuery,
    { early, complete, ends }: PagePlans,
  ): Promise<ItemsFound> {
    const rows = early && (await this.rows<FoundRow>(plannedPage(query, early, ends)));
    return rows !== undefined && readOf(rows) === query.page.count
      ? foundIn(rows)
      : foundIn(await this.rows<FoundRow>(plannedPage(query, complete, ends)));
  }

  private async count(query: PageQuery, plan: CountPlan): Promise<number> {
    const [row] = await this.rows<{ total: number }>(longTotal(query, plan));
    return row?.total ?? 0;
  }

  private rows<Row extends ObjectLiteral>({ text, values }: Statement): Promise<Row[]> {
    return queryRows<Row>(this.manager, text, values);
  }
}

/** True when nothing has changed after the version that is asked for: most polls of most clients. */
const isIdle = ({ conditions }: PageQuery, list: ListSummary): boolean =>
  conditions.some((one) => one.kind === 'since' && isIdleSince(one.version, list));

/** Answered from the summary, without a statement. */
const isIdleSince = (since: number | undefined, { version }: ListSummary): boolean =>
  since !== undefined && since >= version;

/** True when the list keeps the number of every condition; in an order other than that of addition, of facets alone. */
const isKnown = ({ conditions, sortKey }: PageQuery): boolean =>
  conditions.every(({ kind }) => kind === 'facet') ||
  (sortKey.column === 'added_order' && conditions.every(isKept));

/** How many items the plan gave: those of the page, or those that were ranked for it. */
const readOf = (rows: readonly FoundRow[]): number =>
  rows[0]?.ranked ?? rows.filter(({ item_id: itemId }) => itemId !== null).length;

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
