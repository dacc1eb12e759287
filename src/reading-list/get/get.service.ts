import { Injectable } from '@nestjs/common';

import type { Principal } from '../../auth/consumers/principal.js';
import { defined } from '../../lib/util/defined.js';
import { DIALECT_RULES, type DialectRules, rulesFor } from '../dialect-rules.js';
import type { Address } from '../list/address.js';
import type { KnownSince } from '../query/items-wanted.js';
import { Passages } from '../texts/passages.service.js';
import { type FoundItems, type GetResponse, presentGet } from './get.presenter.js';
import type { GetQuery } from './get.request.js';
import { ListReader } from './list-reader.js';
import { isAsCounted, type OpenedPage, PageCursors } from './page-cursors.js';
import { ResponseCache } from './response-cache.js';

/** A request that asks for items. */
interface ItemsRequest {
  /** Only the item at this address is wanted. */
  readonly url?: Address;
  toQuery(rules: DialectRules, known: KnownSince, itemAtUrl?: string): GetQuery;
}

interface OpenedQuery {
  readonly query: GetQuery;
  readonly page: OpenedPage;
}

/** Answers get, and the other calls that read items: fetch, and get of an e-reader. */
@Injectable()
export class GetService {
  constructor(
    private readonly list: ListReader,
    private readonly cursors: PageCursors,
    private readonly cache: ResponseCache,
    private readonly passages: Passages,
  ) {}

  /** Throws ServiceBusyError when the user has too many calls waiting. */
  async get(principal: Principal, request: ItemsRequest): Promise<GetResponse> {
    const { query, page } = await this.open(principal, request);
    const found = await this.find(principal, query, page);
    return presentGet(found, query, DIALECT_RULES[principal.dialect]);
  }

  /** As `get`, in JSON; a request that is repeated while the list stays as it is gets the cached response. */
  async getJson(principal: Principal, request: ItemsRequest): Promise<Buffer> {
    const { userId, dialect, list } = principal;
    const { query, page } = await this.open(principal, request);
    const key = JSON.stringify([userId, dialect, query]);
    const cached = isAsCounted(page, list.version) ? this.cache.find(key, list.version) : undefined;
    if (cached !== undefined) {
      const since = page.continuation?.since ?? list.since;
      await this.cursors.note(page, { ...cached, since });
      return withSince(cached.json, since);
    }
    const found = await this.find(principal, query, page);
    const { since, ...others } = presentGet(found, query, DIALECT_RULES[dialect]);
    const json = Buffer.from(JSON.stringify(others));
    // Each delta begins where the one before ended: no client asks for it again. Words are written later than the version.
    const isOfVersion = query.filter.text === undefined;
    if (!found.isDelta && isOfVersion && isAsCounted(page, found.version)) {
      const { version, size, total, end } = found;
      this.cache.store(key, { version, size, json, ...defined({ total, end }) });
    }
    return withSince(json, since);
  }

  /**
   * Finds the page that the client read before. A `since` ahead of the list is answered with the whole list; if the clock
   * passes it between two pages, the rest of the whole list still follows.
   */
  private async open(principal: Principal, request: ItemsRequest): Promise<OpenedQuery> {
    const rules = rulesFor(principal.dialect, principal.pageSize);
    const known = this.list.knownSince(principal.list);
    const { url } = request;
    const itemAtUrl = url && (await this.list.itemIdAt(principal.userId, url));
    const query = request.toQuery(rules, known, itemAtUrl);
    const page = await this.cursors.open(principal, query);
    const { since } = query.filter;
    if (since === undefined || query.page.offset === 0 || page.continuation !== undefined) {
      return { query, page };
    }
    const whole = request.toQuery(rules, { ...known, newest: since - 1 }, itemAtUrl);
    const wholePage = await this.cursors.open(principal, whole);
    return wholePage.continuation === undefined
      ? { query, page }
      : { query: whole, page: wholePage };
  }

  /** Tags and annotations are read after the items: what changed in between comes once more with the next delta. */
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

/** The time goes on while the list stays as it is, and with it the `since` to ask with next. */
const withSince = (json: Buffer, since: number): Buffer =>
  Buffer.concat([json.subarray(0, -1), Buffer.from(`,"since":${since}}`)]);
