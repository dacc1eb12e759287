import { Controller, Get, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';

import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser } from '../../../auth/http/auth.guards.js';
import { Public } from '../../../platform/http/public.js';
import { parseRequest } from '../../../pocket-api/parse-request.js';
import { csrfTokenOf } from '../../csrf.guard.js';
import { PageErrorFilter } from '../../page-error.filter.js';
import { goTo, Pages, READER_POLICY } from '../../pages.js';
import { VisitorGuard } from '../../visitors.js';
import { doneNoticeOf } from '../done-notice.js';
import { ListRequest } from './list.request.js';
import { ListPages } from './list-pages.js';

/** Shows the list of a user, filtered by state, tag, site or search. */
@Public()
@UseFilters(PageErrorFilter)
@UseGuards(VisitorGuard)
@Controller('list')
export class ListController {
  constructor(
    private readonly pages: Pages,
    private readonly lists: ListPages,
  ) {}

  @Get()
  async show(
    @CurrentUser() { id: userId }: User,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const wanted = parseRequest(ListRequest, request.query);
    const view = wanted.toView();
    if (wanted.until !== undefined) {
      goTo(response, await this.lists.pathOfPageUntil(userId, view, wanted.until));
      return;
    }
    const page = await this.lists.read(userId, view, wanted.after);
    const done = doneNoticeOf(request.query);
    const model = { ...page, done, section: 'list', csrfToken: csrfTokenOf(request) } as const;
    this.pages.show(response, 'reader/list', model, { policy: READER_POLICY });
  }
}
