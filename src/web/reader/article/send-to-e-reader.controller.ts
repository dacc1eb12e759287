import { Controller, Param, Post, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';

import { EReaderMail } from '../../../apis/e-reader-mail/e-reader-mail.service.js';
import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser } from '../../../auth/http/auth.guards.js';
import { Public } from '../../../platform/http/public.js';
import { clientNetwork } from '../../../platform/throttling/throttle.guard.js';
import { EReaderMailGuard, showUnconfirmed } from '../../account/e-reader-access.js';
import { CsrfGuard } from '../../csrf.guard.js';
import { PageErrorFilter, wantsJson } from '../../page-error.filter.js';
import { goTo, Pages } from '../../pages.js';
import { VisitorGuard } from '../../visitors.js';
import { itemIdOf } from './article.controller.js';

/** Sends an article to the e-reader of the user. The response does not wait until the mail is sent. */
@Public()
@UseFilters(PageErrorFilter)
@UseGuards(EReaderMailGuard, VisitorGuard, CsrfGuard)
@Controller('read/:id/e-reader')
export class SendToEReaderController {
  constructor(
    private readonly mail: EReaderMail,
    private readonly pages: Pages,
  ) {}

  @Post()
  async send(
    @CurrentUser() { id: userId }: User,
    @Param('id') id: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const itemId = itemIdOf(id);
    const sender = { userId, clientNetwork: clientNetwork(request) };
    if (wantsJson(request)) {
      await this.mail.sendArticle(sender, itemId);
      response.status(200).json({ sending: true });
      return;
    }
    try {
      await this.mail.sendArticle(sender, itemId);
    } catch (error) {
      showUnconfirmed(this.pages, response, error);
      return;
    }
    goTo(response, `/read/${itemId}?done=e-reader`);
  }
}
