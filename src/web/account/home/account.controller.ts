import { Get, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';

import { FeedsService } from '../../../apis/feeds/feeds.service.js';
import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser } from '../../../auth/http/auth.guards.js';
import { AuthorizationsService } from '../../../auth/oauth/authorizations.service.js';
import { Sessions } from '../../../auth/session/sessions.js';
import { isId, textOf } from '../../../platform/common/request-fields.js';
import { type Answer, redirect } from '../../../platform/http/answer.js';
import { Page } from '../../page.js';
import { forgetSiteData } from '../../pages.js';
import type { ShownPage } from '../../template.js';
import { AccountPage } from './account-page.js';

/**
 * The account page of a user. The page lists the applications that have access to the user's list. A button next to
 * each application ends its access.
 */
@Page('account')
export class AccountPageController {
  constructor(
    private readonly page: AccountPage,
    private readonly authorizations: AuthorizationsService,
    private readonly feeds: FeedsService,
    private readonly sessions: Sessions,
  ) {}

  @Get()
  show(@CurrentUser() user: User, @Req() request: Request): Promise<ShownPage> {
    return this.page.show(user, request);
  }

  @Post('applications/revoke')
  async revoke(@CurrentUser() user: User, @Req() { body }: Request): Promise<Answer> {
    const id = textOf(body, 'application');
    if (isId(id)) {
      await this.authorizations.revoke(user.id, id);
    }
    return redirect('/account?done=revoked');
  }

  @Post('sign-out')
  async signOut(
    @CurrentUser() user: User,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Answer> {
    // End the sessions first. Otherwise, another session could create a key after the keys were revoked.
    await this.sessions.end(user, request, response);
    if (textOf(request.body, 'revoke') === '1') {
      await this.authorizations.revoke(user.id);
      await this.feeds.revoke(user.id);
    }
    forgetSiteData(response);
    return redirect('/auth/login');
  }
}
