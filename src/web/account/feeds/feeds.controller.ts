import { Post } from '@nestjs/common';

import { FeedsService } from '../../../apis/feeds/feeds.service.js';
import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser } from '../../../auth/http/auth.guards.js';
import { type Answer, redirect } from '../../../platform/http/answer.js';
import { RecentLogin } from '../../login/confirm/recent-login.guard.js';
import { Page } from '../../page.js';

/** The forms that create, replace or delete a feed address. */
@Page('account/feeds')
export class FeedsPageController {
  constructor(private readonly feeds: FeedsService) {}

  @Post()
  @RecentLogin({ formPath: '/account/devices' })
  async issue(@CurrentUser() user: User): Promise<Answer> {
    await this.feeds.issue(user);
    return redirect('/account/devices?done=feeds');
  }

  @Post('revoke')
  async revoke(@CurrentUser() user: User): Promise<Answer> {
    await this.feeds.revoke(user);
    return redirect('/account/devices?done=feeds-revoked');
  }
}
