import { Body, Get, NotFoundException, Param, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';

import { EmptyBookError } from '../../articles/articles.errors.js';
import { EpubDownloads } from '../../articles/epub/epub-downloads.js';
import { User } from '../../auth/entities/user.entity.js';
import { CurrentUser } from '../../auth/http/auth.guards.js';
import { message } from '../../platform/i18n/message.js';
import { parseRequest } from '../../pocket-api/parse-request.js';
import type { ItemRow } from '../../reading-list/entities/item.entity.js';
import { ListReader } from '../../reading-list/get/list-reader.js';
import { ItemRepository } from '../../reading-list/list/item.repository.js';
import { ItemNotFoundError } from '../../reading-list/reading-list.errors.js';
import { Page } from '../page.js';
import { Pages } from '../pages.js';
import { itemIdOf } from './article/article.controller.js';
import { isOfTexts, ListRequest, type ListView } from './list/list.request.js';
import { selectedIn } from './list/list-actions.request.js';
import { byTitles, narrowingsOf } from './list/list-links.js';
import { wantedOf } from './list/list-query.js';

/**
 * A placeholder, because a query requires page parameters. `ListReader.rows` ignores the parameters
 * and reads all items.
 */
const EVERY_PAGE = { count: 0, offset: 0 };

/** Exports articles as books for e-readers (docs/use/reader.md). */
@Page()
export class BooksController {
  constructor(
    private readonly downloads: EpubDownloads,
    private readonly items: ItemRepository,
    private readonly lists: ListReader,
    private readonly pages: Pages,
  ) {}

  @Get('read/:id/export.epub')
  async ofItem(
    @CurrentUser() { id: userId }: User,
    @Param('id') id: string,
    @Res() response: Response,
  ): Promise<void> {
    const itemId = itemIdOf(id);
    const row = (await this.items.rowsById(userId, [itemId])).get(itemId);
    if (row === undefined) {
      throw new NotFoundException();
    }
    await this.downloads.sendArticle(response, { userId, row });
  }

  /** Exports all items of a view of the list as a book, not only the items of one page. */
  @Get('list/export.epub')
  async ofView(
    @CurrentUser() { id: userId }: User,
    @Query() query: object,
    @Res() response: Response,
  ): Promise<void> {
    const view = parseRequest(ListRequest, query).toView();
    const rows = await this.shown(userId, view);
    await this.downloads.sendCollection(response, { userId, rows, title: this.titleOf(view) });
  }

  /** Exports the items that the user has selected on a list page. */
  @Post('list/export.epub')
  async ofSelected(
    @CurrentUser() { id: userId }: User,
    @Body() body: unknown,
    @Res() response: Response,
  ): Promise<void> {
    const ids = selectedIn(body);
    const found = await this.items.rowsById(userId, ids);
    const rows = ids.flatMap((id) => found.get(id) ?? []);
    const [only] = rows;
    if (only === undefined) {
      throw new ItemNotFoundError();
    }
    response.status(200);
    if (rows.length === 1) {
      await this.downloads.sendArticle(response, { userId, row: only });
      return;
    }
    const title = this.pages.text(message('list.book.selected', { count: rows.length }));
    await this.downloads.sendCollection(response, { userId, rows: each(rows), title });
  }

  /**
   * Returns the items of a view. If a full-text search finds no items, searches only titles and addresses, as the list
   * page does.
   * @throws EmptyBookError if there are no items
   */
  private async shown(userId: string, view: ListView): Promise<AsyncIterable<ItemRow>> {
    for (const searched of isOfTexts(view) ? [view, byTitles(view)] : [view]) {
      const rows = this.lists.rows(userId, wantedOf(searched, EVERY_PAGE));
      const first = await rows.next();
      if (first.done !== true) {
        return each([first.value], rows);
      }
    }
    throw new EmptyBookError();
  }

  /** Returns a title such as "Unread: Tag rivers". */
  private titleOf(view: ListView): string {
    const { label: state } = view.state;
    const filters = narrowingsOf(view).map(({ title }) => this.pages.text(title));
    return this.pages.text(
      filters.length === 0
        ? state
        : message('list.book.filtered', { state, filters: filters.join(', ') }),
    );
  }
}

async function* each(
  rows: readonly ItemRow[],
  others: AsyncIterable<ItemRow> | readonly ItemRow[] = [],
): AsyncGenerator<ItemRow> {
  yield* rows;
  yield* others;
}
