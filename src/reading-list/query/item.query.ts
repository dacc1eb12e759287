import type { EntityManager, ObjectLiteral } from 'typeorm';

import type { ListSummary } from '../../auth/consumers/caller-lists.js';
import { queryRows, type Statement } from '../../platform/database/query-rows.js';
import { ListRepository } from '../list/list.repository.js';
import type { CompiledTextQuery } from '../texts/compiled-query.js';
import { ItemTextRepository } from '../texts/item-text.repository.js';
import {
  conditionsOf,
  type PageColumnSet,
  type PageQuery,
  type TextCondition,
} from './conditions.js';
import { PHRASES_AMONG } from './conditions.sql.js';
import { COSTS } from './costs.js';
import { type PagePosition, sortKeyOf } from './item-order.js';
import { columnsOf, plannedPage, shortPage } from './item-page.sql.js';
import type {
  ItemsFound,
  ItemsWanted,
  ItemVersion,
  PageOfItems,
  VersionedRow,
} from './items-wanted.js';
import { isKept, listSizes } from './list-sizes.js';
import { areExclusive, fromNearerEnd } from './page-ends.js';
import { type CountPlan, type PagePlans, planCount, planPage } from './page-planner.js';
import { roundsOf } from './ranking.sql.js';
import { sample, type SampleRow } from './sample.sql.js';
import { isFoundInOrder, withRareLanguage } from './set-costs.js';
import {
  inReadingOrder,
  TAGGED_COUNTS,
  type TaggedCounts,
  type TaggedRow,
  tagIdsOf,
} from './tagged-counts.js';
import { longTotal } from './total.sql.js';

/**
 * Columns with data about the whole page, such as the total. They are read from the first row of
 * the result, which exists even if the page has no items.
 */
interface HeadRow {
  readonly since: number;
  readonly version: number;
  readonly last_key: string | null;
  readonly tombstones?: readonly (readonly [itemId: string, version: string])[];
  readonly total?: number | null;
  /** The number of items that were ranked. Undefined if the results are not sorted by rank. */
  readonly ranked?: number;
}
type FoundRow<Row> = HeadRow & (Row | { readonly item_id: null });

/**
 * From this offset, a query first checks whether any items remain after the offset. For smaller
 * offsets, this check would cost more than skipping the items (docs/decisions/0091).
 */
const LATE = 1000;

/**
 * The maximum number of items of a list that is queried with one simple SQL statement. For longer
 * lists, page-planner.ts chooses how to find the items.
 */
const SHORT_LIST = 2000;

interface Limits {
  readonly shortList: number;
  readonly costs: typeof COSTS;
  /** Replaces the default offset LATE. */
  readonly late?: number;
}

export class ItemQuery {
  constructor(
    private readonly manager: EntityManager,
    private readonly userId: string,
    private readonly limits: Limits = { shortList: SHORT_LIST, costs: COSTS },
  ) {}

  /** Reads a page of the list and the version of the list from the same snapshot. */
  find(wanted: ItemsWanted, summary?: ListSummary): Promise<ItemsFound<VersionedRow>> {
    return this.findColumns(wanted, columnsOf(wanted), summary);
  }

  /** Like `find`, but reads only the ids and the versions of the items. */
  findVersions(wanted: ItemsWanted, summary?: ListSummary): Promise<ItemsFound<ItemVersion>> {
    return this.findColumns(wanted, 'versions', summary);
  }

  private async findColumns<Row extends ItemVersion>(
    wanted: ItemsWanted,
    columns: PageColumnSet,
    summary: ListSummary | undefined,
  ): Promise<ItemsFound<Row>> {
    const list = summary ?? (await ListRepository.in(this.manager).summary(this.userId));
    const query = await this.queryFor(wanted, columns, list);
    if (query === undefined || isIdle(query, list) || areExclusive(query.conditions)) {
      const { since, version } = list;
      const none = { rows: [], tombstones: [], size: 0, since, version };
      return wanted.withTotal === true ? { ...none, total: 0 } : none;
    }
    return list.item_count > this.limits.shortList
      ? this.findInLongList(query, list)
      : foundIn(await this.rows<FoundRow<Row>>(shortPage(query)));
  }

  /** Returns the query for the requested page. Returns undefined if the search text contains no word to search for. */
  private async queryFor(
    wanted: ItemsWanted,
    columns: PageColumnSet,
    list: ListSummary,
  ): Promise<PageQuery | undefined> {
    const { filter, page, withTotal = false } = wanted;
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
      columns,
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
    return ItemTextRepository.in(this.manager).compile(this.userId, text);
  }

  private async findInLongList<Row extends ItemVersion>(
    query: PageQuery,
    list: ListSummary,
  ): Promise<ItemsFound<Row>> {
    const text = query.conditions.find((one) => one.kind === 'text');
    return text?.query.phrases === undefined
      ? this.findAsPlanned(query, list)
      : this.findPhrase(query, { ...text, isCommon: await this.isCommon(query, text, list) });
  }

  /**
   * Finds items that contain a phrase. First finds the newest items that contain all words of the
   * phrase (at most PHRASES_AMONG), and then checks these items for the phrase.
   */
  private async findPhrase<Row extends ItemVersion>(
    asked: PageQuery,
    by: TextCondition,
  ): Promise<ItemsFound<Row>> {
    const conditions = asked.conditions.map((one) => (one.kind === 'text' ? by : one));
    const query = { ...asked, conditions };
    const found = await this.pageOf<Row>(query, { complete: { kind: 'id set', by } });
    return query.withTotal
      ? { ...found, total: await this.count(query, { by, semiJoins: [] }) }
      : found;
  }

  /**
   * Returns true if the words are so common that testing the newest items one by one is faster than
   * using the full-text index.
   */
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

  private async findAsPlanned<Row extends ItemVersion>(
    asked: PageQuery,
    list: ListSummary,
  ): Promise<ItemsFound<Row>> {
    const tagged = await this.taggedCounts(asked);
    const sorted = { ...asked, conditions: inReadingOrder(asked.conditions, tagged) };
    const nearest = fromNearerEnd(sorted, listSizes({ list, tagged }, sorted.conditions));
    const [row] = isKnown(nearest) ? [] : await this.rows<SampleRow>(sample(nearest));
    const query = { ...nearest, conditions: withRareLanguage(nearest.conditions, row) };
    const sizes = listSizes({ list, tagged }, query.conditions, row);
    const facts = { query, sizes, costs: this.limits.costs };
    const found = await this.pageOf<Row>(query, planPage(facts));
    return query.withTotal ? { ...found, total: await this.count(query, planCount(facts)) } : found;
  }

  /**
   * Returns the numbers of items with the requested tags. Returns undefined if no tag is requested,
   * or if the numbers are not needed to plan the query.
   */
  private async taggedCounts(query: PageQuery): Promise<TaggedCounts | undefined> {
    const { conditions } = query;
    const ids = tagIdsOf(conditions);
    if (ids.length === 0 || (conditions.length === 1 && isKnown(query) && !query.isLate)) {
      return undefined;
    }
    const rows = await queryRows<TaggedRow>(this.manager, TAGGED_COUNTS, [this.userId, ids]);
    const found = new Map(rows.map(({ tag_id: id, item_count: count }) => [id, count]));
    return new Map(ids.map((id) => [id, found.get(id) ?? 0]));
  }

  /**
   * Runs the plan `early` first, if it is set. If the plan `early` does not fill the page, runs the
   * plan `complete`.
   */
  private async pageOf<Row extends ItemVersion>(
    query: PageQuery,
    { early, complete, ends }: PagePlans,
  ): Promise<ItemsFound<Row>> {
    const rows = early && (await this.rows<FoundRow<Row>>(plannedPage(query, early, ends)));
    return rows !== undefined && readOf(rows) === query.page.count
      ? foundIn(rows)
      : foundIn(await this.rows<FoundRow<Row>>(plannedPage(query, complete, ends)));
  }

  private async count(query: PageQuery, plan: CountPlan): Promise<number> {
    const [row] = await this.rows<{ total: number }>(longTotal(query, plan));
    return row?.total ?? 0;
  }

  private rows<Row extends ObjectLiteral>({ text, values }: Statement): Promise<Row[]> {
    return queryRows<Row>(this.manager, text, values);
  }
}

/**
 * Returns true if the list has not changed since the version that the client sent. This is the
 * usual case for clients that poll.
 */
const isIdle = ({ conditions }: PageQuery, list: ListSummary): boolean =>
  conditions.some((one) => one.kind === 'since' && isIdleSince(one.version, list));

/** Returns true if the list has not changed since the version `since`. */
const isIdleSince = (since: number | undefined, { version }: ListSummary): boolean =>
  since !== undefined && since >= version;

/**
 * Returns true if the stored counters of the list are enough to plan the query. Otherwise, a sample
 * of the items is read.
 */
const isKnown = ({ conditions, sortKey }: PageQuery): boolean =>
  conditions.every(({ kind }) => kind === 'facet') ||
  (sortKey.column === 'added_order' && conditions.every(isKept));

/**
 * Returns the number of items that a plan has found. For a search that is sorted by rank, this
 * includes ranked items that are not on the page.
 */
const readOf = (rows: readonly FoundRow<ItemVersion>[]): number =>
  rows[0]?.ranked ?? rows.filter(({ item_id: itemId }) => itemId !== null).length;

function foundIn<Row extends ItemVersion>(rows: readonly FoundRow<Row>[]): ItemsFound<Row> {
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
  lastItem: ItemVersion | undefined,
): PagePosition | undefined {
  const lastTombstone = tombstones?.at(-1);
  if (lastTombstone !== undefined) {
    const [itemId, version] = lastTombstone;
    return { kind: 'tombstone', version, itemId };
  }
  return lastItem && key !== null ? { kind: 'item', key, itemId: lastItem.item_id } : undefined;
}
