import { Readable } from 'node:stream';

import { Body, Get, NotFoundException, Param, Post, Query, Res } from '@nestjs/common';
import type { Request, Response } from 'express';

import { EmptyBookError } from '../../articles/articles.errors.js';
import { EpubDownloads } from '../../articles/epub/epub-downloads.js';
import { User } from '../../auth/entities/user.entity.js';
import { CurrentUser } from '../../auth/http/auth.guards.js';
import { redirect } from '../../platform/http/answer.js';
import { message } from '../../platform/i18n/message.js';
import { parseRequest } from '../../pocket-api/parse-request.js';
import { ItemRepository } from '../../reading-list/list/item.repository.js';
import { ItemNotFoundError } from '../../reading-list/reading-list.errors.js';
import { type ListView } from '../../reading-list/views/list-view.js';
import { ListRequest } from '../../reading-list/views/view.request.js';
import { pathOf } from '../local-path.js';
import { Page } from '../page.js';
import { Pages } from '../pages.js';
import { itemIdOf } from './article/article.controller.js';
import { withNotice } from './done-notice.js';
import { backOf, selectedIn, selectsWholeView } from './list/list-actions.request.js';
import { narrowingsOf } from './list/narrowings.js';
import { selectedViewIn, ViewItems } from './list/view-items.js';

/** Exports articles as books for e-readers (docs/use/reader.md). */
@Page()
export class BooksController {
  constructor(
    private readonly downloads: EpubDownloads,
    private readonly items: ItemRepository,
    private readonly viewItems: ViewItems,
    private readonly pages: Pages,
  ) {}

  @Get('read/:id/export.epub')
  async ofItem(
    @CurrentUser() { id: userId }: User,
    @Param('id') id: string,
    @Res() response: Response,
  ): Promise<void> {
    const row = await this.items.rowOf(userId, itemIdOf(id));
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
    await this.sendView(userId, parseRequest(ListRequest, query).toView(), response);
  }

  /** Exports the items that the user has selected on a list page, or all items of the view. */
  @Post('list/export.epub')
  async ofSelected(
    @CurrentUser() { id: userId }: User,
    @Body() body: unknown,
    @Res() response: Response,
  ): Promise<void> {
    if (selectsWholeView(body)) {
      response.status(200);
      await this.sendView(userId, selectedViewIn(body, backOf(body)).view, response);
      return;
    }
    const ids = selectedIn(body);
    if (ids.length === 0) {
      redirect(pathOf(withNotice(backOf(body), 'nothing'))).sendTo(response);
      return;
    }
    await this.sendItems(userId, ids, response);
  }

  /** @throws ItemNotFoundError if none of the items exists */
  private async sendItems(
    userId: string,
    ids: readonly string[],
    response: Response,
  ): Promise<void> {
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
    const title = message('list.book.selected', { count: rows.length });
    await this.downloads.sendCollection(response, {
      userId,
      rows: Readable.from(rows),
      title: this.pages.text(title, response.req),
    });
  }

  /** @throws EmptyBookError if the view has no items */
  private async sendView(userId: string, view: ListView, response: Response): Promise<void> {
    const rows = await this.viewItems.rows(userId, view);
    if (rows === undefined) {
      throw new EmptyBookError();
    }
    await this.downloads.sendCollection(response, {
      userId,
      rows,
      title: this.titleOf(view, response.req),
    });
  }

  /** Returns a title such as "Unread: Tag rivers". */
  private titleOf(view: ListView, request: Request): string {
    const { label: state } = view.state;
    const filters = narrowingsOf(view).map(({ title }) => this.pages.text(title, request));
    return this.pages.text(
      filters.length === 0
        ? state
        : message('list.book.filtered', { state, filters: filters.join(', ') }),
      request,
    );
  }
}
