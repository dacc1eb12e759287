import { Get, Post, Req } from '@nestjs/common';
import type { Request } from 'express';

import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser } from '../../../auth/http/auth.guards.js';
import { isId, textOf } from '../../../platform/common/request-fields.js';
import { type Answer, redirect } from '../../../platform/http/answer.js';
import type { Message } from '../../../platform/i18n/message.js';
import { resolvedTitleOf } from '../../../reading-list/get/page.presenter.js';
import { ItemRepository } from '../../../reading-list/list/item.repository.js';
import { type PublicLink, Sharing } from '../../../reading-list/sharing/sharing.service.js';
import { Page } from '../../page.js';
import { type ShownPage, Template } from '../../template.js';
import { noticeOf } from '../notices.js';

/** A public link, with the properties that the page shows. */
interface LinkCard extends PublicLink {
  readonly title: string;
}

interface SharedLinksModel {
  readonly links: readonly LinkCard[];
  /** The number of the next page. Undefined on the last page. */
  readonly next: number | undefined;
  readonly notice: Message | undefined;
}

const PAGE_SIZE = 50;
const PAGE_NUMBER = /^[1-9]\d{0,5}$/;

const template = new Template<SharedLinksModel>('account/shared-links/shared-links', {
  kind: 'reader',
});

/** The page with all public links of a user. A button next to each link revokes it. */
@Page('account/shared-links')
export class SharedLinksPageController {
  constructor(
    private readonly sharing: Sharing,
    private readonly items: ItemRepository,
  ) {}

  @Get()
  async show(@CurrentUser() { id: userId }: User, @Req() { query }: Request): Promise<ShownPage> {
    const number = pageNumberIn(query);
    const page = { count: PAGE_SIZE + 1, offset: (number - 1) * PAGE_SIZE };
    const links = await this.sharing.linksOf(userId, page);
    const shown = links.slice(0, PAGE_SIZE);
    return template.page({
      links: await this.withTitles(userId, shown),
      next: links.length > PAGE_SIZE ? number + 1 : undefined,
      notice: noticeOf(textOf(query, 'done')),
    });
  }

  /** Revokes the link of an item. If the link no longer exists, nothing happens. */
  @Post('revoke')
  async revoke(@CurrentUser() { id: userId }: User, @Req() { body }: Request): Promise<Answer> {
    const itemId = textOf(body, 'item');
    if (isId(itemId)) {
      await this.sharing.revoke(userId, [itemId]);
    }
    return redirect('/account/shared-links?done=link-revoked');
  }

  @Post('revoke-all')
  async revokeAll(@CurrentUser() { id: userId }: User): Promise<Answer> {
    await this.sharing.revoke(userId);
    return redirect('/account/shared-links?done=links-revoked');
  }

  private async withTitles(userId: string, links: readonly PublicLink[]): Promise<LinkCard[]> {
    const ids = links.map(({ itemId }) => itemId);
    const rows = await this.items.rowsById(userId, ids);
    return links.flatMap((link) => {
      const row = rows.get(link.itemId);
      return row === undefined ? [] : [{ ...link, title: resolvedTitleOf(row) }];
    });
  }
}

function pageNumberIn(query: unknown): number {
  const page = textOf(query, 'page');
  return PAGE_NUMBER.test(page) ? Number(page) : 1;
}
