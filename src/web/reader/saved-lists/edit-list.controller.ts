import { Get, Post, Req } from '@nestjs/common';
import type { Request } from 'express';

import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser } from '../../../auth/http/auth.guards.js';
import { textOf } from '../../../platform/common/request-fields.js';
import { type Answer, redirect } from '../../../platform/http/answer.js';
import { SavedLists } from '../../../reading-list/saved-lists/saved-lists.service.js';
import { formErrorsOf } from '../../forms.js';
import { Page } from '../../page.js';
import type { ShownPage } from '../../template.js';
import { EditListPages } from './edit-list-pages.js';
import { FeedUrls } from './feed-urls.js';
import { publicFormIn, PublicPageForms } from './public-page-forms.js';
import { requestedList } from './requested-list.js';
import { type EditForm, editListPage, feedIn } from './saved-lists.view.js';
import { editPath, LISTS_PATH } from './shown-lists.js';

/** Shows the page on which a user edits a saved list. Changes the list and its public page. */
@Page('list/lists')
export class EditListController {
  constructor(
    private readonly lists: SavedLists,
    private readonly feedUrls: FeedUrls,
    private readonly publicPages: PublicPageForms,
    private readonly pages: EditListPages,
  ) {}

  @Get('edit')
  async edit(@CurrentUser() user: User, @Req() request: Request): Promise<ShownPage> {
    const list = await requestedList(this.lists, user.id, request.query);
    return editListPage.page(await this.pages.of(list, { user, request }));
  }

  @Post('edit')
  async change(@CurrentUser() user: User, @Req() request: Request): Promise<ShownPage | Answer> {
    const list = await requestedList(this.lists, user.id, request.body);
    const form = editFormIn(request.body);
    if (form.feed !== null) {
      await this.feedUrls.requireToBegin(user, request);
    }
    try {
      const { feed } = await this.lists.edit(user.id, list.id, form);
      if (feed !== null) {
        await this.feedUrls.begin(user);
      }
      return redirect(`${LISTS_PATH}?done=list-saved`);
    } catch (error) {
      const errors = formErrorsOf(error);
      const model = await this.pages.of(list, { user, request });
      return editListPage.page({ ...model, ...form, errors }, { status: 400 });
    }
  }

  /** Publishes a list, changes its public page, or turns it off. */
  @Post('public')
  async publish(@CurrentUser() user: User, @Req() request: Request): Promise<ShownPage | Answer> {
    const list = await requestedList(this.lists, user.id, request.body);
    const form = publicFormIn(request.body);
    try {
      await this.publicPages.save(user, list, form);
      return redirect(`${editPath(list)}&done=list-${form.isPublic ? 'public' : 'private'}`);
    } catch (error) {
      const refused = { form, errors: formErrorsOf(error) };
      return editListPage.page(await this.pages.of(list, { user, request, refused }), {
        status: 400,
      });
    }
  }
}

const editFormIn = (body: unknown): EditForm => ({
  name: textOf(body, 'name'),
  isPinned: textOf(body, 'pinned') === '1',
  feed: feedIn(textOf(body, 'feed')),
  isShelf: textOf(body, 'shelf') === '1',
});
