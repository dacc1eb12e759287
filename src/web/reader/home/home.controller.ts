import { Get, Req } from '@nestjs/common';
import type { Request } from 'express';

import { RegistrationService } from '../../../auth/registration.service.js';
import { type Answer, redirect } from '../../../platform/http/answer.js';
import { Page } from '../../page.js';
import { type ShownPage, Template } from '../../template.js';
import { Visitors } from '../../visitors.js';
import { isShareQuery, openSavePage } from '../save/share-links.js';

interface WelcomeModel {
  /** True if anyone may create an account. */
  readonly isOpen: boolean;
}

const welcomePage = new Template<WelcomeModel>('reader/home/welcome');

/**
 * Redirects logged-in users to the list, and shows a welcome page to other visitors. Before the
 * first account exists, redirects visitors to the registration page. Redirects share addresses such
 * as `/?post=` to the save page (share-links.ts).
 */
@Page('', { for: 'everyone' })
export class HomeController {
  constructor(
    private readonly visitors: Visitors,
    private readonly registrations: RegistrationService,
  ) {}

  @Get()
  async welcome(@Req() request: Request): Promise<ShownPage | Answer> {
    if (isShareQuery(request.query)) {
      return openSavePage(request.query);
    }
    if ((await this.visitors.find(request)) !== undefined) {
      return redirect('/list');
    }
    if (await this.registrations.awaitsFirstUser()) {
      return redirect('/auth/register');
    }
    return welcomePage.page({ isOpen: await this.registrations.isOpen() });
  }
}
