import type { EntityManager, ObjectLiteral } from 'typeorm';

import { Page } from '../../articles/resolver/entities/page.entity.js';
import type {
  AnnotatedItem,
  ExportedAnnotation,
  ExportedDetails,
  ExportedItem,
  ExportedList,
  ExportedPage,
  Library,
} from '../../lib/library-formats/writing/library.js';
import { decompressedText } from '../../lib/util/compressed-text.js';
import { queryRows } from '../../platform/database/query-rows.js';
import { ItemDetailsRepository } from '../../reading-list/details/item-details.repository.js';
import type { StoredDetails } from '../../reading-list/details/tracked-details.js';
import type { PageColumns } from '../../reading-list/entities/page-columns.js';
import { givenTitle, type ItemTexts, shownTitle } from '../../reading-list/list/item-texts.js';
import { ListRuleRepository } from '../../reading-list/rules/list-rule.repository.js';
import { SavedListRepository } from '../../reading-list/saved-lists/saved-list.repository.js';
import {
  ANNOTATED,
  type AnnotationRow,
  ANNOTATIONS,
  type ExportedRow,
  FOUND_OF_PAGE,
  NEWEST_FIRST,
  OLDEST_FIRST,
} from './stored-library.sql.js';

/**
 * The lowest and the highest possible sort key. An export from the oldest item begins at LOWEST, and an export from the
 * newest item begins at HIGHEST.
 */
const LOWEST = '-9223372036854775808';
const HIGHEST = '9223372036854775807';

/**
 * Reads the items of one user in batches over one database connection. Even in a long list, PostgreSQL finds each batch
 * through an index.
 */
export class StoredLibrary implements Library {
  constructor(
    private readonly manager: EntityManager,
    private readonly userId: string,
  ) {}

  async *newestFirst(): AsyncGenerator<ExportedItem> {
    for await (const rows of this.pages(NEWEST_FIRST, HIGHEST)) {
      yield* rows.map(itemOf);
    }
  }

  /** Yields the items of the user with their annotations. The annotations of only one item are in memory at a time. */
  async *annotatedItems(): AsyncGenerator<AnnotatedItem> {
    for await (const rows of this.pages(OLDEST_FIRST, LOWEST)) {
      const itemIds = rows.map(({ itemId }) => itemId);
      const annotated = await this.annotated(itemIds);
      const details = await this.details(itemIds);
      for (const row of rows) {
        const annotations = annotated.has(row.itemId) ? await this.annotations(row.itemId) : [];
        yield { item: itemOf(row), annotations, details: details.get(row.itemId) };
      }
    }
  }

  async savedLists(): Promise<readonly ExportedList[]> {
    const lists = await SavedListRepository.in(this.manager).allOf(this.userId);
    const rules = await ListRuleRepository.in(this.manager).ofUser(this.userId);
    return lists.map(({ id, name, conditions, isPinned, feed, isShelf }) => ({
      name,
      conditions,
      isPinned,
      feed,
      isShelf,
      rule: rules.find(({ listId }) => listId === id),
    }));
  }

  async page(itemId: string): Promise<ExportedPage | undefined> {
    const [row] = await this.rows<PageColumns>(FOUND_OF_PAGE, itemId);
    if (row === undefined) {
      return undefined;
    }
    const { resolvedId: pageId, ...found } = row;
    const where = { pageId };
    const page = await this.manager.findOne(Page, { where, select: { article: true } });
    return pageOf(found, page?.article ?? null);
  }

  /** Returns those of the given item ids whose items have annotations. */
  private async annotated(itemIds: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.rows<{ itemId: string }>(ANNOTATED, itemIds);
    return new Set(rows.map(({ itemId }) => itemId));
  }

  /** Returns the page details that clients sent, keyed by item id. */
  private async details(itemIds: readonly string[]): Promise<ReadonlyMap<string, ExportedDetails>> {
    const repository = ItemDetailsRepository.in(this.manager);
    const found = await repository.ofItems(this.userId, itemIds);
    return new Map(found.map((details) => [details.itemId, detailsOf(details)]));
  }

  /** Returns the annotations of an item, oldest first. */
  private async annotations(itemId: string): Promise<ExportedAnnotation[]> {
    return (await this.rows<AnnotationRow>(ANNOTATIONS, itemId)).map(annotationOf);
  }

  /** Yields the items of the user in batches. Each batch begins after the last item of the previous batch. */
  private async *pages(text: string, start: string): AsyncGenerator<ExportedRow[]> {
    let key = [start, start];
    for (;;) {
      const rows = await this.rows<ExportedRow>(text, ...key);
      const last = rows.at(-1);
      if (last === undefined) {
        return;
      }
      yield rows;
      key = [last.addedOrder, last.itemId];
    }
  }

  private rows<Row extends ObjectLiteral>(
    text: string,
    ...values: readonly unknown[]
  ): Promise<Row[]> {
    return queryRows<Row>(this.manager, text, [this.userId, ...values]);
  }
}

const itemOf = (row: ExportedRow): ExportedItem => ({
  ...titlesOf(row),
  itemId: row.itemId,
  url: row.givenUrl,
  prefersGivenTitle: row.prefersGivenTitle,
  tags: row.tags,
  isArchived: row.status === 1,
  isFavorite: row.favorite === 1,
  timeAdded: Number(row.timeAdded),
  timeUpdated: Number(row.timeUpdated),
  timeRead: Number(row.timeRead),
  timeFavorited: Number(row.timeFavorited),
  number: row.number,
  note: row.note,
});

/**
 * Returns the titles of an item for an export. If the user has not set a title, `title` is the title of the page. An
 * import of the exported file then restores this title, even if the page no longer exists.
 */
export const titlesOf = (
  texts: Omit<ItemTexts, 'resolvedUrl'>,
): Pick<ExportedItem, 'shownTitle' | 'title'> => ({
  shownTitle: shownTitle(texts),
  title: texts.givenTitle || (givenTitle(texts.resolvedTitle) ?? ''),
});

const detailsOf = ({ publishedAt, authors, ...details }: StoredDetails): ExportedDetails => ({
  ...details,
  publishedAt: publishedAt === null ? null : Number(publishedAt),
  authors: authors?.map(({ name }) => name) ?? null,
});

const annotationOf = (row: AnnotationRow): ExportedAnnotation => ({
  ...row,
  createdAt: Number(row.createdAt),
});

const pageOf = async (
  { resolvedTitle: title, media, ...found }: Omit<PageColumns, 'resolvedId'>,
  article: Buffer | null,
): Promise<ExportedPage> => ({
  ...found,
  title,
  authors: (media?.authors ?? []).map(({ name, url }) => ({ name, url })),
  article: article === null ? undefined : await decompressedText(article),
});
