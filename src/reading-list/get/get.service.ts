import { Injectable } from '@nestjs/common';

import type { Principal } from '../../auth/consumers/principal.js';
import { defined } from '../../lib/util/defined.js';
import { Clock } from '../../platform/common/clock.js';
import { Metric, type Sample } from '../../platform/metrics/metric.js';
import { Tally } from '../../platform/metrics/tally.js';
import { DIALECT_RULES, type DialectRules, rulesFor } from '../dialect-rules.js';
import type { Address } from '../list/address.js';
import type { KnownSince } from '../query/items-wanted.js';
import { SavedLists } from '../saved-lists/saved-lists.service.js';
import { Passages } from '../texts/passages.service.js';
import { itemsOf } from '../views/view-query.js';
import { type FoundItems, type GetResponse, presentGet, presentGetJson } from './get.presenter.js';
import type { GetQuery, LookedUp } from './get.request.js';
import { ListReader } from './list-reader.js';
import { isAsCounted, type OpenedPage, PageCursors } from './page-cursors.js';
import { ResponseCache } from './response-cache.js';

/** A request for items that can be converted to the query of a `/v3/get` call. */
interface ItemsRequest {
  /** If `url` is set, the response contains only the item that was saved under this address. */
  readonly url?: Address;
  /** If `list` is set, the response contains only items of the saved list with this name. */
  readonly list?: string;
  toQuery(rules: DialectRules, known: KnownSince, found?: LookedUp): GetQuery;
}

interface OpenedQuery {
  readonly query: GetQuery;
  readonly page: OpenedPage;
}

/** Finds the items for the calls that return items: `/v3/get`, `/v3/fetch`, and `/v3/get` from an e-reader. */
@Injectable()
export class GetService {
  private readonly syncs = new Tally(['unchanged', 'changes', 'whole-list']);

  // eslint-disable-next-line @typescript-eslint/max-params -- the container passes them, by their types
  constructor(
    private readonly list: ListReader,
    private readonly cursors: PageCursors,
    private readonly cache: ResponseCache,
    private readonly passages: Passages,
    private readonly lists: SavedLists,
    private readonly clock: Clock,
  ) {}

  @Metric({
    name: 'satchel_syncs_total',
    help: 'Calls that return items: without changes since the last call, with changes, or with the whole list.',
    kind: 'counter',
    labels: ['result'],
  })
  syncCounts(): readonly Sample[] {
    return this.syncs.samples('result');
  }

  /**
   * Returns the items that the request selects.
   * @throws SavedListNotFoundError if the request names a saved list that cannot be shown
   * @throws ServiceBusyError if too many calls of the user are queued.
   */
  async get(principal: Principal, request: ItemsRequest): Promise<GetResponse> {
    const { query, page } = await this.open(principal, request);
    const found = await this.find(principal, query, page);
    return presentGet(found, query, DIALECT_RULES[principal.dialect]);
  }

  /**
   * Returns the same items as `get`, but as JSON. While the list is unchanged, a repeated request gets the cached
   * response.
   */
  async getJson(principal: Principal, request: ItemsRequest): Promise<Buffer> {
    const { userId, dialect, list } = principal;
    const { query, page } = await this.open(principal, request);
    const key = JSON.stringify([userId, dialect, query]);
    const cached = isAsCounted(page, list.version) ? this.cache.find(key, list.version) : undefined;
    if (cached !== undefined) {
      this.syncs.add('whole-list');
      const since = page.continuation?.since ?? list.since;
      await this.cursors.note(page, { ...cached, since });
      return withSince(cached.json, since);
    }
    const found = await this.find(principal, query, page);
    this.syncs.add(syncResultOf(found));
    const json = Buffer.from(presentGetJson(found, query, DIALECT_RULES[dialect]));
    // Does not cache changes since an earlier call, because each client requests each set of changes only once.
    if (!found.isDelta && dependsOnVersion(query) && isAsCounted(page, found.version)) {
      const { version, size, total, end } = found;
      this.cache.store(key, { version, size, json, ...defined({ total, end }) });
    }
    return withSince(json, found.since);
  }

  /**
   * Finds the earlier page that the requested page continues. A client's first page belongs to the
   * whole list if its `since` was in the future. The later pages then belong to the whole list too,
   * even if `since` is no longer in the future.
   */
  private async open(principal: Principal, request: ItemsRequest): Promise<OpenedQuery> {
    const rules = rulesFor(principal.dialect, principal.pageSize);
    const known = this.list.knownSince(principal.list);
    const lookedUp = await this.lookUp(principal.userId, request);
    const query = request.toQuery(rules, known, lookedUp);
    const page = await this.cursors.open(principal, query);
    const { since } = query.filter;
    if (since === undefined || query.page.offset === 0 || page.continuation !== undefined) {
      return { query, page };
    }
    const whole = request.toQuery(rules, { ...known, newest: since - 1 }, lookedUp);
    const wholePage = await this.cursors.open(principal, whole);
    return wholePage.continuation === undefined
      ? { query, page }
      : { query: whole, page: wholePage };
  }

  private async lookUp(userId: string, { url, list }: ItemsRequest): Promise<LookedUp> {
    return {
      itemAtUrl: url && (await this.list.itemIdAt(userId, url)),
      list:
        list === undefined
          ? undefined
          : itemsOf(await this.lists.viewNamed(userId, list), this.clock.now()),
    };
  }

  /**
   * Reads the items first, then their tags and annotations. If the list changes between these reads, the change is
   * later than the `since` of the response. The client's next request for changes therefore returns the changed items.
   */
  private async find(
    { userId, list }: Principal,
    query: GetQuery,
    page: OpenedPage,
  ): Promise<FoundItems> {
    const found = await this.list.items(page, list);
    await this.cursors.note(page, found);
    const tagNames = await this.list.tagNames(userId, query);
    const annotations = await this.list.annotations(userId, query, found);
    const isDelta = query.filter.since !== undefined;
    const { text } = query.filter;
    const passages =
      text === undefined ? undefined : await this.passages.of(userId, text, found.rows);
    return { ...found, isDelta, ...defined({ tagNames, annotations, passages }) };
  }
}

const syncResultOf = ({ isDelta, size }: FoundItems): 'unchanged' | 'changes' | 'whole-list' =>
  isDelta ? (size === 0 ? 'unchanged' : 'changes') : 'whole-list';

/**
 * Returns true if the result of a query changes only together with the version of the list. New words become searchable
 * after the version has changed, and reading an article does not change the version.
 */
const dependsOnVersion = ({ filter }: GetQuery): boolean =>
  filter.text === undefined && filter.progress === undefined;

/**
 * Adds the field `since` to a response in JSON. `since` advances with the clock even while the list is unchanged, so it
 * is not cached.
 */
const withSince = (json: Buffer, since: number): Buffer =>
  Buffer.concat([json.subarray(0, -1), Buffer.from(`,"since":${since}}`)]);
