import { Controller, Get, Req, Res, UseFilters } from '@nestjs/common';
import type { Request, Response } from 'express';

import { RegistrationService } from '../../auth/registration.service.js';
import { Public } from '../../platform/http/public.js';
import { PageErrorFilter } from '../page-error.filter.js';
import { goTo, Pages } from '../pages.js';
import { Visitors } from '../visitors.js';
import { isShareQuery, openSavePage } from './save/share-links.js';

/** Redirects users to the list, and shows a welcome page to other visitors. A share address opens the save page. */
@Public()
@UseFilters(PageErrorFilter)
@Controller()
export class HomeController {
  constructor(
    private readonly pages: Pages,
    private readonly visitors: Visitors,
    private readonly registrations: RegistrationService,
  ) {}

  @Get()
  async welcome(@Req() request: Request, @Res() response: Response): Promise<void> {
    if (isShareQuery(request.query)) {
      openSavePage(response, request.query);
      return;
    }
    if ((await this.visitors.find(request)) !== undefined) {
      goTo(response, '/list');
      return;
    }
    this.pages.show(response, 'reader/welcome', { isOpen: await this.registrations.isOpen() });
  }
}
