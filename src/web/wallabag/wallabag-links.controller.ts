import { Get, NotFoundException, Param, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';

import { NoSuchFormatError } from '../../apis/wallabag/wire/wallabag-answers.js';
import { numberIn } from '../../apis/wallabag/wire/wallabag-paths.js';
import { EpubDownloads } from '../../articles/epub/epub-downloads.js';
import { User } from '../../auth/entities/user.entity.js';
import { CurrentUser } from '../../auth/http/auth.guards.js';
import { type Answer, redirect } from '../../platform/http/answer.js';
import type { ItemRow } from '../../reading-list/entities/item.entity.js';
import { ItemRepository } from '../../reading-list/list/item.repository.js';
import { Page } from '../page.js';
import { openSavePage } from '../reader/save/share-links.js';
import { VisitorGuard, Visitors } from '../visitors.js';
import { FOUND, TO_LOGIN } from './wallabag-pages.controller.js';

/** The page of the reader to which each list of wallabag is redirected, keyed by the path of the list. */
const LISTS: Readonly<Record<string, string>> = {
  'unread/list': '/list',
  'starred/list': '/list?state=favorites',
  'archive/list': '/list?state=archive',
  'all/list': '/list?state=all',
  'tag/list': '/list/tags/all',
};

/** Redirects the addresses of wallabag's pages. Such addresses are in bookmarks and programs (docs/api/wallabag.md). */
@Page('wallabag', { for: 'everyone' })
export class WallabagLinksController {
  constructor(
    private readonly visitors: Visitors,
    private readonly items: ItemRepository,
    private readonly downloads: EpubDownloads,
  ) {}

  @Get(Object.keys(LISTS))
  openList(@Req() { path }: Request): Answer {
    const [, name = ''] = /(?<![a-z])([a-z]+\/list)\/?$/.exec(path) ?? [];
    return redirect(LISTS[name] ?? '/list', FOUND);
  }

  @Get('view/:entry')
  @UseGuards(VisitorGuard)
  async view(@CurrentUser() { id: userId }: User, @Param('entry') entry: string): Promise<Answer> {
    const { item_id: itemId } = await this.named(userId, entry);
    return redirect(`/read/${itemId}`, FOUND);
  }

  /**
   * Redirects the addresses of the bookmarklets of wallabag 1 and 2 to the save page. The save page asks for
   * confirmation, because any site can link to these addresses.
   */
  @Get(['bagit', 'bookmarklet'])
  save(@Req() { query }: Request): Answer {
    return openSavePage(query);
  }

  /** Redirects the public links that apps build from the `uid` of an entry. */
  @Get('share/:token')
  share(@Param('token') token: string): Answer {
    return redirect(`/shared/${encodeURIComponent(token)}`, FOUND);
  }

  /** Exports an item as a book, for programs that have logged in at /wallabag/login. */
  @Get('export/:entry.:format')
  async export(
    @Param('entry') entry: string,
    @Param('format') format: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const user = await this.visitors.find(request);
    if (user === undefined) {
      TO_LOGIN.sendTo(response);
      return;
    }
    const row = await this.named(user.id, entry);
    if (format !== 'epub') {
      throw new NoSuchFormatError();
    }
    await this.downloads.sendArticle(response, { userId: user.id, row });
  }

  /** @throws NotFoundException */
  private async named(userId: string, entry: string): Promise<ItemRow> {
    const number = numberIn(entry);
    const row = number === undefined ? undefined : await this.items.rowNumbered(userId, number);
    if (row === undefined) {
      throw new NotFoundException();
    }
    return row;
  }
}
