import { Get, NotFoundException, Param, Post, Query, Req } from '@nestjs/common';
import type { Request } from 'express';

import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser } from '../../../auth/http/auth.guards.js';
import { textOf } from '../../../platform/common/request-fields.js';
import { type Answer, redirect } from '../../../platform/http/answer.js';
import { message } from '../../../platform/i18n/message.js';
import { conditionsOf, viewOf } from '../../../reading-list/saved-lists/saved-list-view.js';
import { SavedLists } from '../../../reading-list/saved-lists/saved-lists.service.js';
import type { ListView } from '../../../reading-list/views/list-view.js';
import { formErrorsOf } from '../../forms.js';
import { localUrl } from '../../local-path.js';
import { Page } from '../../page.js';
import { InvalidPageRequestError } from '../../pages.errors.js';
import type { ShownPage } from '../../template.js';
import { doneNoticeOf } from '../done-notice.js';
import { listPath, tabsAt } from '../list/list-links.js';
import { viewAt } from '../list/view-items.js';
import { FeedUrls } from './feed-urls.js';
import { ListRuleForms } from './list-rule-forms.js';
import { listIdIn, requestedList } from './requested-list.js';
import { allListsPage, cardOf, type ListForm, newListPage } from './saved-lists.view.js';
import { LISTS_PATH, openPath, pinnedLinks } from './shown-lists.js';

/** Shows the lists that a user has saved, and creates, moves and deletes them. */
@Page('list')
export class SavedListsController {
  constructor(
    private readonly lists: SavedLists,
    private readonly feedUrls: FeedUrls,
    private readonly rules: ListRuleForms,
  ) {}

  /** Opens a list by its name, so that the address stays the same if the conditions of the list change. */
  @Get('l/*name')
  async open(
    @CurrentUser() { id: userId }: User,
    @Param('name') name: string | readonly string[],
  ): Promise<Answer> {
    const list = await this.lists.named(userId, [name].flat().join('/'));
    const view = list && viewOf(list);
    if (view === undefined) {
      throw new NotFoundException();
    }
    return redirect(listPath(view));
  }

  @Get('lists')
  async all(
    @CurrentUser() { id: userId }: User,
    @Query() query: object,
    @Req() request: Request,
  ): Promise<ShownPage> {
    const feedUrls = await this.feedUrls.of(userId, request);
    const lists = await this.lists.all(userId);
    const words = await this.rules.wordsOf(userId);
    return allListsPage.page({
      section: 'list',
      tabs: tabsAt('lists', pinnedLinks(lists)),
      lists: lists.map((list) => ({ ...cardOf(list, feedUrls), ruleWords: words.get(list.id) })),
      done: doneNoticeOf(query),
      path: LISTS_PATH,
      deletedId: textOf(query, 'deleted') || undefined,
    });
  }

  @Post('lists')
  async create(
    @CurrentUser() { id: userId }: User,
    @Req() { body }: Request,
  ): Promise<ShownPage | Answer> {
    const viewPath = textOf(body, 'view');
    const view = viewFrom(viewPath);
    const form: ListForm = { name: textOf(body, 'name'), isPinned: textOf(body, 'pinned') === '1' };
    try {
      const conditions = conditionsOf(view);
      return redirect(openPath(await this.lists.create(userId, { ...form, conditions })));
    } catch (error) {
      const errors = formErrorsOf(error);
      return newListPage.page({ section: 'list', ...form, viewPath, errors }, { status: 400 });
    }
  }

  /** Gives a list the conditions of the view that the user sees. */
  @Post('lists/conditions')
  async replaceConditions(
    @CurrentUser() { id: userId }: User,
    @Req() { body }: Request,
  ): Promise<Answer> {
    const { id } = await requestedList(this.lists, userId, body);
    const conditions = conditionsOf(viewFrom(textOf(body, 'view')));
    return redirect(openPath(await this.lists.edit(userId, id, { conditions })));
  }

  @Post('lists/move')
  async move(@CurrentUser() { id: userId }: User, @Req() { body }: Request): Promise<Answer> {
    const { id } = await requestedList(this.lists, userId, body);
    await this.lists.move(userId, id, textOf(body, 'direction') === 'up' ? 'up' : 'down');
    return redirect(LISTS_PATH);
  }

  @Post('lists/delete')
  async delete(@CurrentUser() { id: userId }: User, @Req() { body }: Request): Promise<Answer> {
    const id = listIdIn(body);
    await this.lists.delete(userId, id);
    return redirect(`${LISTS_PATH}?done=list-deleted&deleted=${id}`);
  }

  @Post('lists/restore')
  async restore(@CurrentUser() { id: userId }: User, @Req() { body }: Request): Promise<Answer> {
    await this.lists.restore(userId, listIdIn(body));
    return redirect(`${LISTS_PATH}?done=list-restored`);
  }
}

/** @throws ValidationFailedError if the path is not the path of a view of the list */
function viewFrom(path: string): ListView {
  const url = localUrl(path);
  const view = url && viewAt(url);
  if (view === undefined) {
    throw new InvalidPageRequestError(message('errors.listAddress'));
  }
  return view;
}
