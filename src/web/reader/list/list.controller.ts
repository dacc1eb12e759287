import { Get, Query, Req } from '@nestjs/common';
import type { Request } from 'express';

import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser } from '../../../auth/http/auth.guards.js';
import { Clock } from '../../../platform/common/clock.js';
import { type Answer, redirect } from '../../../platform/http/answer.js';
import { parseRequest } from '../../../pocket-api/parse-request.js';
import { ListRequest } from '../../../reading-list/views/view.request.js';
import { LOCAL, pathOf } from '../../local-path.js';
import { Page } from '../../page.js';
import type { ShownPage } from '../../template.js';
import { doneNoticeOf, withNotice } from '../done-notice.js';
import { FirstSteps } from '../first-steps/first-steps.service.js';
import { filterFormWith } from './filter-form.js';
import { listPage } from './list.view.js';
import { listPath } from './list-links.js';
import { ListPages } from './list-pages.js';
import { sentFiltersIn } from './sent-filters.js';

/** Shows the list of a user, filtered by state, search and the filters of view-filters.ts. */
@Page('list')
export class ListController {
  constructor(
    private readonly lists: ListPages,
    private readonly firstSteps: FirstSteps,
    private readonly clock: Clock,
  ) {}

  @Get()
  async show(
    @CurrentUser() { id: userId }: User,
    @Req() request: Request,
  ): Promise<ShownPage | Answer> {
    const { wanted, rejected } = sentFiltersIn(request.query);
    const view = wanted.toView();
    if (wanted.until !== undefined) {
      return redirect(await this.lists.pathOfPageUntil(userId, view, wanted.until));
    }
    if (wanted.filter === true && rejected.length === 0) {
      return redirect(listPath(view, { more: wanted.more === true ? '1' : undefined }));
    }
    const shownAt = this.clock.seconds();
    const page = await this.lists.read(userId, view, wanted.after);
    const hasFirstSteps = await this.firstSteps.areShown(userId, view, page);
    const done = doneNoticeOf(request.query);
    const filters = filterFormWith(page.filters, rejected, wanted.more === true);
    return listPage.page(
      { ...page, filters, done, hasFirstSteps, shownAt, section: 'list' },
      { status: rejected.length === 0 ? 200 : 400 },
    );
  }

  /** Opens a random unread article of a view. */
  @Get('surprise')
  async surprise(@CurrentUser() { id: userId }: User, @Query() query: object): Promise<Answer> {
    const view = parseRequest(ListRequest, query).toView();
    const itemId = await this.lists.randomUnread(userId, view);
    return redirect(
      itemId === undefined
        ? pathOf(withNotice(new URL(listPath(view), LOCAL), 'no-surprise'))
        : `/read/${itemId}`,
    );
  }
}
