import { Injectable } from '@nestjs/common';

import type { Principal } from '../../../auth/consumers/principal.js';
import { defined } from '../../../lib/util/defined.js';
import { Config } from '../../../platform/config/config.js';
import { KeyedQueue } from '../../../platform/jobs/keyed-queue.js';
import { ListReader } from '../../../reading-list/get/list-reader.js';
import { hostOf } from '../../../reading-list/list/address.js';
import {
  type EntriesRequest,
  pageOf,
  type PageWanted,
  type SearchRequest,
} from './entries.request.js';
import { EntryRepository, tagIdOf } from './entry.repository.js';
import type { EntryFilter } from './entry-list.sql.js';
import { type EntriesFound, EntryPages } from './entry-pages.service.js';

const NONE: EntriesFound = { rows: [], total: 0, isPromised: false };
/**
 * The share of the database connections that queries for one user's entries can use at the same
 * time.
 */
const SHARE_OF_CONNECTIONS = 0.5;
const MOST_READS = 256;

@Injectable()
export class EntryLists {
  private readonly queue: KeyedQueue;

  constructor(
    config: Config,
    private readonly entries: EntryRepository,
    private readonly list: ListReader,
    private readonly pages: EntryPages,
  ) {
    const concurrency = Math.ceil(config.databasePoolSize * SHARE_OF_CONNECTIONS);
    this.queue = new KeyedQueue({ concurrency, maxCalls: MOST_READS });
  }

  /**
   * Returns one page of entries.
   *
   * @throws ServiceBusyError if too many requests of the user are queued
   */
  find(principal: Principal, request: EntriesRequest): Promise<EntriesFound> {
    const { userId } = principal;
    return this.queue.run(userId, async () => {
      const filter = await this.filterOf(userId, request);
      if (filter === undefined) {
        return NONE;
      }
      const { sort = 'created', order = 'desc' } = request;
      const wanted = { userId, filter, sort, order, ...limitsOf(pageOf(request)) };
      const page = await this.pages.open(principal, wanted);
      return this.pages.told(page, await this.entries.page(page.wanted));
    });
  }

  /**
   * Searches entries. The best matches come first.
   *
   * @throws ServiceBusyError if too many requests of the user are queued
   */
  async search({ userId, list }: Principal, request: SearchRequest): Promise<EntriesFound> {
    const { term } = request;
    if (term === undefined) {
      return NONE;
    }
    const { limit: count, offset } = limitsOf(pageOf(request));
    const filter = { text: term };
    const wanted = { filter, order: 'newest', page: { count, offset }, isRanked: true } as const;
    const found = await this.list.page(userId, { ...wanted, withTotal: true }, list);
    const ids = found.rows.map(({ item_id: id }) => id);
    const rows = new Map(
      (await this.entries.byItemIds(userId, ids)).map((row) => [row.item_id, row]),
    );
    const inOrder = ids.map((id) => rows.get(id)).filter((row) => row !== undefined);
    return { ...NONE, rows: inOrder, total: found.total ?? 0 };
  }

  /** Returns the filter that a request selects, or undefined if no entry can match. */
  private async filterOf(
    userId: string,
    request: EntriesRequest,
  ): Promise<EntryFilter | undefined> {
    const { starred, annotations, since = 0, http_status: status } = request;
    const tags = await this.tagsOf(userId, request.tags);
    const host = hostIn(request.domain_name);
    if (tags === undefined || host === null) {
      return undefined;
    }
    return defined<EntryFilter>({
      ...NO_TAGS,
      ...tags,
      ...stateOf(request),
      host,
      favorite: starred,
      annotated: annotations,
      isPublic: request.public,
      withStatus: status === undefined ? undefined : await this.entries.withStatus(userId, status),
      since: since === 0 ? undefined : since,
    });
  }

  /** Returns the filter for the tags in a request, or undefined if one of the tags has no items. */
  private async tagsOf(
    userId: string,
    list = '',
  ): Promise<Pick<EntryFilter, 'tagIds' | 'tagged'> | undefined> {
    const names = list.split(',').map((name) => name.trim());
    const ids = [...new Set(names.filter((name) => name !== '').map(tagIdOf))];
    if (ids.length === 0) {
      return {};
    }
    const counts = await this.entries.tagCounts(userId, ids);
    return counts.length < ids.length ? undefined : { tagIds: ids, tagged: Math.min(...counts) };
  }
}

const NO_TAGS = { tagIds: undefined, tagged: undefined };

const stateOf = ({ archive, notParsed }: EntriesRequest) =>
  ({
    state: archive === undefined ? undefined : archive ? 'archive' : 'unread',
    isFetched: notParsed === undefined ? undefined : !notParsed,
  }) as const;

const limitsOf = ({ page, perPage }: PageWanted): { limit: number; offset: number } => ({
  limit: perPage,
  offset: (page - 1) * perPage,
});

/** Returns the host in the parameter `domain_name`. Returns null if the text is not a host. */
const hostIn = (domain: string | undefined): string | null | undefined =>
  domain === undefined ? undefined : (hostOf(`http://${domain.trim()}`) ?? null);
