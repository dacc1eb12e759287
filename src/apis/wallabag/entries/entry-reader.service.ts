import { Injectable, NotFoundException } from '@nestjs/common';

import { PageRepository } from '../../../articles/resolver/page.repository.js';
import { decompressedText } from '../../../lib/util/compressed-text.js';
import { yieldToOthers } from '../../../lib/util/event-loop.js';
import { ItemDetailsRepository } from '../../../reading-list/details/item-details.repository.js';
import { NOT_FETCHED } from '../../../reading-list/entities/page-columns.js';
import { AnnotationRepository } from '../../../reading-list/list/annotation.repository.js';
import { Sharing } from '../../../reading-list/sharing/sharing.service.js';
import { presentTag, type TagResponse } from '../tags/tag.presenter.js';
import type { WallabagUser } from '../wallabag.guard.js';
import { numberIn } from '../wire/wallabag-paths.js';
import {
  type EntryParts,
  type EntryResponse,
  type EntryRow,
  noteOf,
  presentEntry,
} from './entry.presenter.js';
import { EntryRepository, type StoredPage, tagIdOf } from './entry.repository.js';

/**
 * The level of detail of entries. `full` and `file` include the text of the page, and `metadata` does not. With `full`,
 * an entry without an article has a notice in place of the text.
 */
export type EntryDetail = 'full' | 'file' | 'metadata';

/**
 * The maximum size in bytes of the compressed articles that are in memory at the same time. Decompressed articles are
 * five to ten times as large.
 */
const BYTES_AT_ONCE = 4_000_000;

/** Finds entries, and loads the related data for the responses. */
@Injectable()
export class EntryReader {
  // eslint-disable-next-line @typescript-eslint/max-params -- the container passes them, by their types
  constructor(
    private readonly entries: EntryRepository,
    private readonly annotations: AnnotationRepository,
    private readonly pages: PageRepository,
    private readonly details: ItemDetailsRepository,
    private readonly sharing: Sharing,
  ) {}

  byNumber(userId: string, number: number): Promise<EntryRow | undefined> {
    return this.entries.byNumber(userId, number);
  }

  async byItemId(userId: string, itemId: string): Promise<EntryRow | undefined> {
    const [row] = await this.entries.byItemIds(userId, [itemId]);
    return row;
  }

  /**
   * Returns the row of the entry whose numeric id is in the path.
   *
   * @throws NotFoundException if there is no entry with this numeric id
   */
  async named(userId: string, entry: string): Promise<EntryRow> {
    const number = numberIn(entry);
    const row = number === undefined ? undefined : await this.byNumber(userId, number);
    if (row === undefined) {
      throw new NotFoundException();
    }
    return row;
  }

  /**
   * Returns the entry whose numeric id is in the path, without its text.
   *
   * @throws NotFoundException if there is no entry with this numeric id
   */
  async shown(user: WallabagUser, entry: string): Promise<EntryResponse> {
    return this.presentOne(user, await this.named(String(user.id), entry), 'metadata');
  }

  /**
   * Returns an entry for a row, with the requested level of detail.
   * @throws NotFoundException if there is no entry for the row
   */
  async presentOne(user: WallabagUser, row: EntryRow, detail: EntryDetail): Promise<EntryResponse> {
    const [entry] = await this.present(user, [row], detail);
    if (entry === undefined) {
      throw new NotFoundException();
    }
    return entry;
  }

  /** Returns an entry for each row, in the order of the rows. */
  async present(
    user: WallabagUser,
    rows: readonly EntryRow[],
    detail: EntryDetail,
  ): Promise<EntryResponse[]> {
    const entries: EntryResponse[] = [];
    for await (const entry of this.presented(user, rows, detail)) {
      entries.push(entry);
    }
    return entries;
  }

  /** Yields the entries one by one, so that only a few articles are in memory at the same time. */
  async *presented(
    user: WallabagUser,
    rows: readonly EntryRow[],
    detail: EntryDetail,
  ): AsyncGenerator<EntryResponse> {
    const { annotations, tags, pages, statuses, details, links } = await this.around(
      String(user.id),
      rows,
    );
    const partsOf = (row: EntryRow, content: string | null): EntryParts => ({
      user,
      content,
      page: pages.get(row.resolved_id),
      tags: row.tags.flatMap((name) => presentedTag(tags.get(tagIdOf(name)))),
      annotations: annotations.get(row.item_id) ?? [],
      failureStatus: statuses.get(row.item_id),
      details: details.get(row.item_id),
      uid: links.get(row.item_id),
    });
    if (detail === 'metadata') {
      yield* rows.map((row) => presentEntry(row, partsOf(row, null)));
      return;
    }
    for await (const [row, content] of this.contents(String(user.id), rows, { pages, detail })) {
      yield presentEntry(row, partsOf(row, content));
      await yieldToOthers();
    }
  }

  /** Loads the data of items from other tables, except articles. */
  private async around(userId: string, rows: readonly EntryRow[]) {
    const names = rows.flatMap((row) => row.tags);
    const pageIds = new Set(rows.map(({ resolved_id: id }) => id));
    const itemIds = itemIdsOf(rows);
    const [annotations, tags, pages, statuses, details, links] = await Promise.all([
      this.annotations.ofItems(userId, itemIds),
      this.entries.tagsNamed(userId, names),
      this.entries.pages([...pageIds].filter(isPage)),
      this.entries.failureStatuses(rows.filter(({ resolved_id: id }) => !isPage(id))),
      this.details.ofItems(userId, itemIds),
      this.sharing.tokensOf(userId, itemIds),
    ]);
    return {
      annotations,
      tags,
      pages,
      statuses,
      links,
      details: new Map(details.map((one) => [one.itemId, one])),
    };
  }

  private async *contents(
    userId: string,
    rows: readonly EntryRow[],
    { pages, detail }: ShownPages,
  ): AsyncGenerator<readonly [row: EntryRow, content: string]> {
    const unfetched = rows.filter(({ resolved_id: id }) => !isPage(id));
    const waiting = await this.entries.waiting(userId, itemIdsOf(unfetched));
    for (const part of parts(rows, pages)) {
      const articles = await this.articles(part, pages);
      for (const row of part) {
        const stored = articles.get(row.resolved_id);
        const isFetched = pages.has(row.resolved_id);
        const isWaiting = waiting.has(row.item_id);
        const notice = detail === 'file' ? '' : noteOf(row, { isFetched, isWaiting });
        yield [row, stored ? await decompressedText(stored) : notice];
      }
    }
  }

  /** Returns the compressed articles, keyed by the ids of their pages. */
  private async articles(
    rows: readonly EntryRow[],
    pages: ReadonlyMap<string, StoredPage>,
  ): Promise<ReadonlyMap<string, Buffer>> {
    const ids = new Set(rows.map(({ resolved_id: id }) => id));
    const withArticle = [...ids].filter((id) => (pages.get(id)?.bytes ?? null) !== null);
    const found = withArticle.length === 0 ? [] : await this.pages.findArticles(withArticle);
    return new Map(found.map(({ pageId, article }) => [pageId, article]));
  }
}

interface ShownPages {
  readonly pages: ReadonlyMap<string, StoredPage>;
  readonly detail: EntryDetail;
}

const itemIdsOf = (rows: readonly EntryRow[]): string[] => rows.map(({ item_id: id }) => id);

const isPage = (pageId: string): boolean => pageId !== NOT_FETCHED;

const presentedTag = (tag: Parameters<typeof presentTag>[0] | undefined): TagResponse[] =>
  tag === undefined ? [] : [presentTag(tag)];

/**
 * Divides the rows into groups. The compressed articles of one group have at most `BYTES_AT_ONCE` bytes together,
 * except if one article is larger.
 */
function parts(
  rows: readonly EntryRow[],
  pages: ReadonlyMap<string, StoredPage>,
): readonly (readonly EntryRow[])[] {
  const found: EntryRow[][] = [];
  let bytes = Infinity;
  for (const row of rows) {
    const size = pages.get(row.resolved_id)?.bytes ?? 0;
    if (bytes + size > BYTES_AT_ONCE) {
      found.push([]);
      bytes = 0;
    }
    found.at(-1)?.push(row);
    bytes += size;
  }
  return found;
}
