import { Get, Req } from '@nestjs/common';
import type { Request } from 'express';

import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser } from '../../../auth/http/auth.guards.js';
import { type Answer, redirect } from '../../../platform/http/answer.js';
import { parseRequest } from '../../../pocket-api/parse-request.js';
import { Page } from '../../page.js';
import type { ShownPage } from '../../template.js';
import { doneNoticeOf } from '../done-notice.js';
import { FirstSteps } from '../first-steps/first-steps.service.js';
import { ListRequest } from './list.request.js';
import { listPage } from './list.view.js';
import { ListPages } from './list-pages.js';

/** Shows the list of a user, filtered by state, tag, site or search. */
@Page('list')
export class ListController {
  constructor(
    private readonly lists: ListPages,
    private readonly firstSteps: FirstSteps,
  ) {}

  @Get()
  async show(
    @CurrentUser() { id: userId }: User,
    @Req() request: Request,
  ): Promise<ShownPage | Answer> {
    const wanted = parseRequest(ListRequest, request.query);
    const view = wanted.toView();
    if (wanted.until !== undefined) {
      return redirect(await this.lists.pathOfPageUntil(userId, view, wanted.until));
    }
    const page = await this.lists.read(userId, view, wanted.after);
    const hasFirstSteps = await this.firstSteps.areShown(userId, view, page);
    const done = doneNoticeOf(request.query);
    return listPage.page({ ...page, done, hasFirstSteps, section: 'list' });
  }
}
