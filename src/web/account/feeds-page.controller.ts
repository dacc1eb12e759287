import { Controller, Post, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { Response } from 'express';

import { FeedsService } from '../../apis/feeds/feeds.service.js';
import { User } from '../../auth/entities/user.entity.js';
import { CurrentUser } from '../../auth/http/auth.guards.js';
import { Public } from '../../platform/http/public.js';
import { CsrfGuard } from '../csrf.guard.js';
import { PageErrorFilter } from '../page-error.filter.js';
import { goTo } from '../pages.js';
import { VisitorGuard } from '../visitors.js';

/** The forms of the account page that create, replace or delete a feed address. */
@Public()
@UseFilters(PageErrorFilter)
@UseGuards(CsrfGuard, VisitorGuard)
@Controller('account/feeds')
export class FeedsPageController {
  constructor(private readonly feeds: FeedsService) {}

  @Post()
  async issue(@CurrentUser() user: User, @Res() response: Response): Promise<void> {
    await this.feeds.issue(user.id);
    goTo(response, '/account?done=feeds');
  }

  @Post('revoke')
  async revoke(@CurrentUser() user: User, @Res() response: Response): Promise<void> {
    await this.feeds.revoke(user.id);
    goTo(response, '/account?done=feeds-revoked');
  }
}
