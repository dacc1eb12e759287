import { Get, Post, Req } from '@nestjs/common';
import type { Request } from 'express';

import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser } from '../../../auth/http/auth.guards.js';
import { textOf } from '../../../platform/common/request-fields.js';
import { type Answer, redirect } from '../../../platform/http/answer.js';
import { parseRequest } from '../../../pocket-api/parse-request.js';
import { DeletionsService } from '../../../reading-list/deletions/deletions.service.js';
import { Trash } from '../../../reading-list/deletions/trash.service.js';
import { SavedLists } from '../../../reading-list/saved-lists/saved-lists.service.js';
import { pathOf } from '../../local-path.js';
import { Page } from '../../page.js';
import type { ShownPage } from '../../template.js';
import { DONE_PARAMETERS, doneNoticeOf, withDone, withNotice } from '../done-notice.js';
import { pinnedLinks } from '../saved-lists/shown-lists.js';
import { emptiedUntil, trashFormOf, TrashRequest } from './trash.request.js';
import {
  emptyTrashPage,
  type PageOfTrash,
  trashModel,
  trashPage,
  trashPath,
} from './trash.view.js';
import { WholeTrash } from './whole-trash.js';

const PAGE_SIZE = 40;

/** Shows the deleted items of a user, restores them, and removes them permanently. */
@Page('list/trash')
export class TrashController {
  constructor(
    private readonly trash: Trash,
    private readonly deletions: DeletionsService,
    private readonly wholeTrash: WholeTrash,
    private readonly savedLists: SavedLists,
  ) {}

  @Get()
  async show(
    @CurrentUser() { id: userId }: User,
    @Req() request: Request,
  ): Promise<ShownPage | Answer> {
    const place = parseRequest(TrashRequest, request.query);
    const page = await this.read(userId, place);
    if (page === undefined) {
      return redirect(firstPage(request.query));
    }
    const summary = await this.trash.summary(userId);
    const { after, before } = place;
    const path = trashPath({ ...(after && { after }), ...(before && !after && { before }) });
    const pinned = pinnedLinks(await this.savedLists.all(userId));
    const done = doneNoticeOf(request.query);
    return trashPage.page(trashModel(page, summary, { path, done, pinned }));
  }

  @Post()
  async act(@CurrentUser() { id: userId }: User, @Req() { body }: Request): Promise<Answer> {
    const { action, itemIds, back } = trashFormOf(body);
    if (action === 'restore-all') {
      return this.restoreAll(userId, back);
    }
    if (itemIds.length === 0) {
      return redirect(pathOf(withNotice(back, 'trash-unselected')));
    }
    const changed =
      action === 'restore'
        ? await this.deletions.restore(userId, itemIds)
        : await this.trash.remove(userId, itemIds);
    return redirect(doneAt(back, action === 'restore' ? 'undo_delete' : 'trash-remove', changed));
  }

  @Get('empty')
  async confirm(@CurrentUser() { id: userId }: User): Promise<ShownPage | Answer> {
    const { items: count, latest: until } = await this.trash.summary(userId);
    return count === 0
      ? redirect(trashPath({}))
      : emptyTrashPage.page({ section: 'list', count, until });
  }

  @Post('empty')
  async empty(@CurrentUser() { id: userId }: User, @Req() { body }: Request): Promise<Answer> {
    await this.trash.empty(userId, emptiedUntil(body));
    return redirect('/list/trash?done=trash-emptied');
  }

  /** Tells the user if some items remain, because there are too many for one call. */
  private async restoreAll(userId: string, back: URL): Promise<Answer> {
    const { itemIds, hasMore } = await this.wholeTrash.restore(userId);
    const path = doneAt(back, 'undo_delete', itemIds);
    return redirect(hasMore ? `${path}&more=1` : path);
  }

  /**
   * Returns a page of the trash. Returns undefined if the first page is nearer than PAGE_SIZE to the
   * position `before`, or if the page has no items although it is not the first one.
   */
  private async read(
    userId: string,
    { after, before }: TrashRequest,
  ): Promise<PageOfTrash | undefined> {
    if (before !== undefined && after === undefined) {
      const rows = await this.trash.newer(userId, before, PAGE_SIZE + 1);
      const page = rows.slice(0, PAGE_SIZE).reverse();
      return rows.length > PAGE_SIZE ? { rows: page, isFirst: false, hasMore: true } : undefined;
    }
    const rows = await this.trash.older(userId, after, PAGE_SIZE + 1);
    const isFirst = after === undefined;
    const hasMore = rows.length > PAGE_SIZE;
    return rows.length > 0 || isFirst
      ? { rows: rows.slice(0, PAGE_SIZE), isFirst, hasMore }
      : undefined;
  }
}

/** Returns the address of a page with the notice of an action. */
const doneAt = (back: URL, action: string, changed: readonly string[]): string =>
  pathOf(changed.length === 0 ? withNotice(back, 'trash-gone') : withDone(back, action, changed));

/** Returns the address of the first page of the trash, with the notice of the last action. */
function firstPage(query: unknown): string {
  const notice = DONE_PARAMETERS.map((name): [string, string] => [name, textOf(query, name)]);
  const kept = new URLSearchParams(notice.filter(([, value]) => value !== '')).toString();
  return kept === '' ? trashPath({}) : `${trashPath({})}?${kept}`;
}
