import { Controller, Get, Post, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';

import { User } from '../../auth/entities/user.entity.js';
import { CurrentUser } from '../../auth/http/current-user.js';
import { Sessions } from '../../auth/http/sessions.js';
import { Public } from '../../common/http/public.js';
import { GrantedApplicationsService } from '../../consumers/granted-applications.service.js';
import { AuthorizationsService } from '../../oauth/authorizations.service.js';
import { textOf } from '../fields.js';
import { AccountPage } from './account-page.js';
import { CsrfGuard } from './csrf.guard.js';
import { PageErrorFilter } from './page-error.filter.js';
import { goTo } from './pages.js';
import { VisitorGuard } from './visitor.guard.js';

/**
 * A person's own page: who has access, and how to end it. What was agreed and not exchanged ends first: an exchange
 * in between leaves a grant that is ended after it.
 */
@Public()
@UseFilters(PageErrorFilter)
@UseGuards(VisitorGuard)
@Controller()
export class AccountPageController {
  constructor(
    private readonly page: AccountPage,
    private readonly applications: GrantedApplicationsService,
    private readonly authorizations: AuthorizationsService,
    private readonly sessions: Sessions,
  ) {}

  @Get('account')
  async show(
    @CurrentUser() user: User,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.page.show({ user, request, response });
  }

  @Post('account/applications/revoke')
  @UseGuards(CsrfGuard)
  async revoke(
    @CurrentUser() user: User,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const id = textOf(request.body, 'application');
    if (/^[1-9]\d{0,17}$/.test(id)) {
      await this.authorizations.withdraw(user.id, id);
      await this.applications.revoke(user.id, id);
    }
    goTo(response, '/account?done=revoked');
  }

  @Post('account/sign-out')
  @UseGuards(CsrfGuard)
  async signOut(
    @CurrentUser() user: User,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    if (textOf(request.body, 'revoke') === '1') {
      await this.authorizations.withdraw(user.id);
      await this.applications.revokeAll(user.id);
    }
    await this.sessions.end(user, request, response);
    goTo(response, '/auth/login');
  }
}
