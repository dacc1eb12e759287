import { Get, Post, Req } from '@nestjs/common';
import type { Request } from 'express';

import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser } from '../../../auth/http/auth.guards.js';
import { textOf } from '../../../platform/common/request-fields.js';
import { type Answer, redirect } from '../../../platform/http/answer.js';
import type { SavedList } from '../../../reading-list/entities/saved-list.entity.js';
import { SavedLists } from '../../../reading-list/saved-lists/saved-lists.service.js';
import { formErrorsOf } from '../../forms.js';
import { Page } from '../../page.js';
import type { ShownPage } from '../../template.js';
import { doneNoticeOf } from '../done-notice.js';
import { FeedUrls } from './feed-urls.js';
import { digestErrorsOf, digestFormIn } from './list-digest-form.js';
import { ListDigestParts, type RefusedDigest } from './list-digest-part.js';
import { ListRuleForms } from './list-rule-forms.js';
import { publicFormIn, PublicPageForms, type RefusedForm } from './public-page-forms.js';
import { requestedList } from './requested-list.js';
import {
  cardOf,
  type EditForm,
  type EditListModel,
  editListPage,
  FEED_CHOICES,
  feedIn,
} from './saved-lists.view.js';
import { editPath, LISTS_PATH } from './shown-lists.js';

/** Shows the page on which a user changes a saved list, its feed, its place in the catalogue, its rule, its digest and its public page. */
@Page('list/lists')
export class EditListController {
  // eslint-disable-next-line @typescript-eslint/max-params -- the container passes them, by their types
  constructor(
    private readonly lists: SavedLists,
    private readonly feedUrls: FeedUrls,
    private readonly publicPages: PublicPageForms,
    private readonly rules: ListRuleForms,
    private readonly digests: ListDigestParts,
  ) {}

  @Get('edit')
  async edit(@CurrentUser() user: User, @Req() request: Request): Promise<ShownPage> {
    const list = await requestedList(this.lists, user.id, request.query);
    return editListPage.page(await this.modelOf(list, { user, request }));
  }

  @Post('edit')
  async change(@CurrentUser() user: User, @Req() request: Request): Promise<ShownPage | Answer> {
    const list = await requestedList(this.lists, user.id, request.body);
    const form = editFormIn(request.body);
    try {
      const { feed } = await this.lists.edit(user.id, list.id, form);
      if (feed !== null) {
        await this.feedUrls.begin(user.id);
      }
      return redirect(`${LISTS_PATH}?done=list-saved`);
    } catch (error) {
      const errors = formErrorsOf(error);
      const model = await this.modelOf(list, { user, request });
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
      return editListPage.page(await this.modelOf(list, { user, request, refused }), {
        status: 400,
      });
    }
  }

  /** Changes the digest of a list, and turns it on or off. */
  @Post('digest')
  async keepDigest(
    @CurrentUser() user: User,
    @Req() request: Request,
  ): Promise<ShownPage | Answer> {
    const list = await requestedList(this.lists, user.id, request.body);
    const form = digestFormIn(request.body);
    try {
      await this.digests.save(user, list, form);
      return redirect(`${editPath(list)}&done=digest-${form.digest ? 'on' : 'off'}`);
    } catch (error) {
      const refusedDigest = { form, errors: digestErrorsOf(error) };
      const model = await this.modelOf(list, { user, request, refusedDigest });
      return editListPage.page(model, { status: 400 });
    }
  }

  private async modelOf(
    list: SavedList,
    { user, request, refused, refusedDigest }: Visit,
  ): Promise<EditListModel> {
    const feedUrls = await this.feedUrls.of(user.id, request);
    return {
      ...cardOf(list, feedUrls),
      section: 'list',
      feeds: FEED_CHOICES,
      errors: [],
      rule: await this.rules.of(user.id, list),
      publicPage: await this.publicPages.of(user, list, refused),
      listDigest: await this.digests.of(user, list, refusedDigest),
      done: doneNoticeOf(request.query),
      path: editPath(list),
    };
  }
}

interface Visit {
  readonly user: User;
  readonly request: Request;
  /** The form of the public page, if it was rejected. */
  readonly refused?: RefusedForm;
  /** The form of the digest, if it was rejected. */
  readonly refusedDigest?: RefusedDigest;
}

const editFormIn = (body: unknown): EditForm => ({
  name: textOf(body, 'name'),
  isPinned: textOf(body, 'pinned') === '1',
  feed: feedIn(textOf(body, 'feed')),
  isShelf: textOf(body, 'shelf') === '1',
});
