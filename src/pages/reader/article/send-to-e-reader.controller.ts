import { Controller, Param, Post, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';

import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser } from '../../../auth/http/auth.guards.js';
import { Public } from '../../../common/http/public.js';
import { EReaderMail } from '../../../e-reader-mail/e-reader-mail.service.js';
import { EReaderMailGuard } from '../../account/e-reader-page.controller.js';
import { CsrfGuard } from '../../csrf.guard.js';
import { PageErrorFilter, wantsJson } from '../../page-error.filter.js';
import { goTo } from '../../pages.js';
import { VisitorGuard } from '../../visitors.js';
import { itemIdOf } from './article.controller.js';

/** Sends the article of a page to the e-reader of its user; the answer does not wait for the mail. */
@Public()
@UseFilters(PageErrorFilter)
@UseGuards(EReaderMailGuard, VisitorGuard, CsrfGuard)
@Controller('read/:id/e-reader')
export class SendToEReaderController {
  constructor(private readonly mail: EReaderMail) {}

  @Post()
  async send(
    @CurrentUser() { id: userId }: User,
    @Param('id') id: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const itemId = itemIdOf(id);
    await this.mail.sendArticle(userId, itemId);
    if (wantsJson(request)) {
      response.status(200).json({ sending: true });
      return;
    }
    goTo(response, `/read/${itemId}?done=e-reader`);
  }
}
