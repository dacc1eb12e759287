import { Param, Post, Req, UseGuards, UseInterceptors } from '@nestjs/common';
import type { Request } from 'express';

import { EReaderMail } from '../../../apis/e-reader-mail/e-reader-mail.service.js';
import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser } from '../../../auth/http/auth.guards.js';
import { type Answer, json, redirect } from '../../../platform/http/answer.js';
import { clientNetwork } from '../../../platform/throttling/throttle.guard.js';
import { EReaderMailGuard, unconfirmedPage } from '../../account/e-reader/e-reader-access.js';
import { Page } from '../../page.js';
import { wantsJson } from '../../page-error.filter.js';
import type { ShownPage } from '../../template.js';
import { articlePaths } from '../list/list-origin.js';
import { itemIdOf } from './article.controller.js';
import { MovedItems } from './moved-items.interceptor.js';

/** Sends an article to the e-reader of the user. The response does not wait until the mail is sent. */
@Page('read/:id/e-reader')
@UseInterceptors(MovedItems)
@UseGuards(EReaderMailGuard)
export class SendToEReaderController {
  constructor(private readonly mail: EReaderMail) {}

  @Post()
  async send(
    @CurrentUser() { id: userId }: User,
    @Param('id') id: string,
    @Req() request: Request,
  ): Promise<ShownPage | Answer> {
    const itemId = itemIdOf(id);
    const isScript = wantsJson(request);
    const pathAfter = articlePaths(request.query, itemId);
    try {
      await this.mail.sendArticle({ userId, clientNetwork: clientNetwork(request) }, itemId);
    } catch (error) {
      if (isScript) {
        throw error;
      }
      return unconfirmedPage(error);
    }
    return isScript ? json({ sending: true }) : redirect(pathAfter('e-reader'));
  }
}
