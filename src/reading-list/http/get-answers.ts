import { Injectable } from '@nestjs/common';

import { defined } from '../../common/defined.js';
import type { Principal } from '../../consumers/principal.js';
import { GetService } from '../get.service.js';
import type { AnnotationsByItem } from '../list/annotation-list.js';
import type { KnownSince } from '../list/item-filter.js';
import type { ItemsFound } from '../list/items-found.js';
import { isAsCounted, type OpenedPage } from '../page-cursors.js';
import { DIALECT_RULES, type DialectRules, rulesFor } from './dialect-rules.js';
import { type FoundItems, presentGet, type WireGet } from './get.presenter.js';
import type { GetQuery } from './get-query.js';
import { KeptAnswers } from './kept-answers.js';

/** A call that asks for items. */
interface Asking {
  toQuery(rules: DialectRules, known: KnownSince): GetQuery;
}

interface OpenedQuery {
  readonly query: GetQuery;
  readonly page: OpenedPage;
}

/** Answers get, and the calls that are get in another dress. */
@Injectable()
export class GetAnswers {
  constructor(
    private readonly lists: GetService,
    private readonly kept: KeptAnswers,
  ) {}

  async read(principal: Principal, asking: Asking): Promise<WireGet> {
    const { query, page } = await this.open(principal, asking);
    const found = await this.find(principal, query, page);
    return presentGet(found, query, DIALECT_RULES[principal.dialect]);
  }

  /** As `read`, in JSON; what was asked before of the list as it is, is answered as before. */
  async json(principal: Principal, asking: Asking): Promise<Buffer> {
    const { userId, dialect, list } = principal;
    const { query, page } = await this.open(principal, asking);
    const question = JSON.stringify([userId, dialect, query]);
    const kept = isAsCounted(page, list.stamp) ? this.kept.find(question, list.stamp) : undefined;
    if (kept !== undefined) {
      const since = page.continuation?.since ?? list.since;
      await this.lists.giveAgain(page, { ...kept, since });
      return withSince(kept.json, since);
    }
    const found = await this.find(principal, query, page);
    const { since, ...others } = presentGet(found, query, DIALECT_RULES[dialect]);
    const json = Buffer.from(JSON.stringify(others));
    // Each delta begins where the one before ended: nobody asks for it again.
    if (!found.isDelta && isAsCounted(page, found.stamp)) {
      const { stamp, size, total, end } = found;
      this.kept.keep(question, { stamp, size, json, ...defined({ total, end }) });
    }
    return withSince(json, since);
  }

  /** A whole list that began because `since` was ahead stays whole when the clock reaches that meanwhile. */
  private async open(principal: Principal, asking: Asking): Promise<OpenedQuery> {
    const rules = rulesFor(principal.dialect, principal.pageSize);
    const known = this.lists.knownSince(principal.list);
    const query = asking.toQuery(rules, known);
    const page = await this.lists.open(principal, query);
    const { since } = query.filter;
    if (since === undefined || query.page.offset === 0 || page.continuation !== undefined) {
      return { query, page };
    }
    const whole = asking.toQuery(rules, { ...known, newest: since - 1 });
    const wholePage = await this.lists.open(principal, whole);
    return wholePage.continuation === undefined
      ? { query, page }
      : { query: whole, page: wholePage };
  }

  private async find(
    { userId, list }: Principal,
    query: GetQuery,
    page: OpenedPage,
  ): Promise<FoundItems> {
    const found = await this.lists.find(page, list);
    const tagNames = await this.tagNames(userId, query);
    const annotations = await this.annotations(userId, query, found);
    return { ...found, isDelta: query.filter.since !== undefined, ...tagNames, ...annotations };
  }

  private async annotations(
    userId: string,
    { withAnnotations }: GetQuery,
    { rows }: ItemsFound,
  ): Promise<{ annotations?: AnnotationsByItem }> {
    const itemIds = rows.map(({ item_id: itemId }) => itemId);
    return withAnnotations ? { annotations: await this.lists.annotations(userId, itemIds) } : {};
  }

  private async tagNames(userId: string, query: GetQuery): Promise<{ tagNames?: string[] }> {
    if (query.wantsTagList === undefined) {
      return {};
    }
    const since = query.wantsTagList === 'changed' ? query.filter.since : undefined;
    const tagNames = await this.lists.tagNames(userId, since);
    return tagNames === undefined ? {} : { tagNames };
  }
}

/** The time goes on while the list stays as it is, and with it the stamp to ask with next. */
const withSince = (json: Buffer, since: number): Buffer =>
  Buffer.concat([json.subarray(0, -1), Buffer.from(`,"since":${since}}`)]);
