import { Any, type EntityManager, IsNull, MoreThan, Not, type SelectQueryBuilder } from 'typeorm';

import { Page } from '../../../articles/resolver/entities/page.entity.js';
import { PageRequest } from '../../../articles/resolver/entities/page-request.entity.js';
import { SentPage } from '../../../articles/resolver/entities/sent-page.entity.js';
import { yieldToOthers } from '../../../lib/util/event-loop.js';
import { CustomRepository } from '../../../platform/database/custom-repository.js';
import { queryRows } from '../../../platform/database/query-rows.js';
import { Item } from '../../../reading-list/entities/item.entity.js';
import { NOT_FETCHED } from '../../../reading-list/entities/page-columns.js';
import { Tag } from '../../../reading-list/entities/tag.entity.js';
import { folded } from '../../../reading-list/list/item-texts.js';
import { tagId } from '../../../reading-list/list/tag-name.js';
import { pageKeyOf } from '../../../reading-list/pages/page-requests.js';
import type { EntryPage, EntryRow } from './entry.presenter.js';
import { type EntriesWanted, ENTRY_COLUMNS, entryPage, type WithStatus } from './entry-list.sql.js';

/** Data about a stored page, without its article. */
export interface StoredPage extends EntryPage {
  readonly pageId: string;
  /** The size of the compressed article in bytes. Null if the page has no article. */
  readonly bytes: number | null;
}

/**
 * A row of the result: an entry, and the number of entries on all pages. For an empty page, the
 * result is one row with this number and without an entry.
 */
type PageRow = { readonly total: number } & (EntryRow | { readonly item_id: null });

/** One page of entries from the database. */
export interface EntriesRead {
  readonly rows: readonly EntryRow[];
  /** True if the list has entries after this page. */
  readonly hasMore: boolean;
  /** The number of entries on all pages together. */
  readonly total: number;
}

/** The maximum number of pages that one statement looks up by their keys. */
const LOOKED_AT_ONCE = 1000;

const textOfKey = (key: Buffer): string => key.toString('base64');

/** Queries items as wallabag entries, with their data in other tables. */
export class EntryRepository extends CustomRepository<Item> {
  static readonly entity = Item;

  byNumber(userId: string, number: number): Promise<EntryRow | undefined> {
    return this.rowsOf(userId).andWhere('number = :number', { number }).getRawOne<EntryRow>();
  }

  /** Returns the items of the list with these ids, in any order. */
  async byItemIds(userId: string, itemIds: readonly string[]): Promise<readonly EntryRow[]> {
    return itemIds.length === 0
      ? []
      : this.rowsOf(userId)
          .andWhere('item_id = ANY (:itemIds)', { itemIds })
          .getRawMany<EntryRow>();
  }

  /** Returns one page of entries, and the number of all entries that match the filter. */
  async page(wanted: EntriesWanted): Promise<EntriesRead> {
    const { text, values } = entryPage(wanted);
    const found = await queryRows<PageRow>(this.manager, text, values);
    const rows = found.filter((row) => row.item_id !== null);
    return {
      rows: rows.slice(0, wanted.limit),
      hasMore: rows.length > wanted.limit,
      total: found[0]?.total ?? 0,
    };
  }

  /** Returns the item count of each tag. Leaves out tags without items. */
  async tagCounts(userId: string, tagIds: readonly string[]): Promise<readonly number[]> {
    const where = { userId, tagId: Any([...tagIds]), itemCount: MoreThan(0) };
    return (await this.manager.findBy(Tag, where)).map(({ itemCount }) => itemCount);
  }

  /** Returns the tags that at least one item has. */
  tags(userId: string): Promise<readonly Tag[]> {
    return this.manager.findBy(Tag, { userId, itemCount: MoreThan(0) });
  }

  /** Returns the tags with these names, keyed by id. The id of a tag is computed from its name. */
  async tagsNamed(
    userId: string,
    names: readonly string[],
  ): Promise<ReadonlyMap<string, Pick<Tag, 'number' | 'name'>>> {
    const ids = [...new Set(names.map(tagIdOf))];
    const found =
      ids.length === 0 ? [] : await this.manager.findBy(Tag, { userId, tagId: Any(ids) });
    return new Map(found.map((tag) => [tag.tagId, tag]));
  }

  /** Returns the stored pages with these ids, keyed by id. Leaves out pages that are not fetched yet. */
  async pages(pageIds: readonly string[]): Promise<ReadonlyMap<string, StoredPage>> {
    if (pageIds.length === 0) {
      return new Map();
    }
    const found = await this.manager
      .createQueryBuilder(Page, 'page')
      .select('page.page_id', 'pageId')
      .addSelect(`coalesce(page.content->'facts'->>'mimeType', '')`, 'mimeType')
      .addSelect(`coalesce((page.content->'facts'->>'responseCode')::int, 0)`, 'responseCode')
      .addSelect(`page.content->'facts'->>'datePublished'`, 'datePublished')
      .addSelect('octet_length(page.article)', 'bytes')
      .where('page.page_id = ANY (:pageIds) AND page.content IS NOT NULL', { pageIds })
      .getRawMany<StoredPage>();
    return new Map(found.map((page) => [page.pageId, page]));
  }

  /**
   * Returns the ids of the user's stored pages that have this HTTP status. Also returns the ids of
   * the user's items whose last fetch failed with this status.
   */
  async withStatus(userId: string, status: number): Promise<WithStatus> {
    const [pageIds, itemIds] = await Promise.all([
      this.pagesWithStatus(userId, status),
      this.itemsThatFailed(userId, status),
    ]);
    return { pageIds, itemIds };
  }

  /** Returns the HTTP statuses of items whose last fetch failed, keyed by item id. */
  async failureStatuses(
    rows: readonly Pick<EntryRow, 'item_id' | 'given_url'>[],
  ): Promise<ReadonlyMap<string, number>> {
    const keys = new Map(rows.map((row) => [row.item_id, pageKeyOf(row.given_url)]));
    const asked = [...keys.values()].filter((key) => key !== undefined);
    const found =
      asked.length === 0
        ? []
        : await this.manager.find(Page, {
            where: { pageKey: Any(asked), failureStatus: Not(IsNull()) },
            select: { pageKey: true, failureStatus: true },
          });
    const statuses = new Map(found.map((page) => [textOfKey(page.pageKey), page.failureStatus]));
    return new Map(
      [...keys].flatMap(([itemId, key]) => {
        const status = key && statuses.get(textOfKey(key));
        return typeof status === 'number' ? [[itemId, status] as const] : [];
      }),
    );
  }

  /**
   * Returns those items whose pages are still queued, or were fetched after the caller had loaded
   * the items. Leaves out items whose pages could not be fetched.
   */
  async waiting(userId: string, itemIds: readonly string[]): Promise<ReadonlySet<string>> {
    if (itemIds.length === 0) {
      return new Set();
    }
    const where = { userId, itemId: Any([...itemIds]) };
    const select = { userId: true, itemId: true };
    const requested = await Promise.all([
      this.manager.find(PageRequest, { where, select }),
      this.manager.find(SentPage, { where, select }),
    ]);
    // This query must be the last. It finds an item whose page was fetched while the other queries
    // ran.
    const read = await this.manager.find(Item, {
      where: { ...where, resolvedId: Not(NOT_FETCHED) },
      select,
    });
    return new Set([...requested.flat(), ...read].map(({ itemId }) => itemId));
  }

  private async itemsThatFailed(userId: string, status: number): Promise<readonly string[]> {
    const rows = await this.createQueryBuilder('item')
      .select('item.item_id', 'item_id')
      .addSelect('item.given_url', 'given_url')
      .where('item.user_id = :userId AND item.resolved_id = 0', { userId })
      .getRawMany<Pick<EntryRow, 'item_id' | 'given_url'>>();
    const failed: string[] = [];
    for (let at = 0; at < rows.length; at += LOOKED_AT_ONCE) {
      await yieldToOthers();
      const statuses = await this.failureStatuses(rows.slice(at, at + LOOKED_AT_ONCE));
      failed.push(...[...statuses].filter(([, one]) => one === status).map(([itemId]) => itemId));
    }
    return failed;
  }

  private async pagesWithStatus(userId: string, status: number): Promise<readonly string[]> {
    const ofList = await this.createQueryBuilder('item')
      .select('DISTINCT item.resolved_id', 'pageId')
      .where('item.user_id = :userId AND item.resolved_id <> 0', { userId })
      .getRawMany<{ pageId: string }>();
    const found = await this.manager
      .createQueryBuilder(Page, 'page')
      .select('page.page_id', 'pageId')
      .where('page.page_id = ANY (:ids)', { ids: ofList.map(({ pageId }) => pageId) })
      .andWhere(`(page.content->'facts'->>'responseCode')::int = :status`, { status })
      .getRawMany<{ pageId: string }>();
    return found.map(({ pageId }) => pageId);
  }

  private rowsOf(userId: string): SelectQueryBuilder<Item> {
    return entryRows(this.manager).where('user_id = :userId', { userId });
  }
}

const entryRows = (manager: EntityManager): SelectQueryBuilder<Item> =>
  manager
    .createQueryBuilder()
    .select([...ENTRY_COLUMNS])
    .from<Item>('items', 'item');

/** Returns the id of the tag with this name. */
export const tagIdOf = (name: string): string => tagId(folded(name));
