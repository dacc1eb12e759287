import { Controller, Get, Post, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';

import { ExtensionKeyService } from '../../auth/consumers/extension-key.service.js';
import { textOf } from '../../platform/common/request-fields.js';
import { Config } from '../../platform/config/config.js';
import { ownAddress } from '../../platform/http/own-address.js';
import { Public } from '../../platform/http/public.js';
import { CsrfGuard, csrfTokenOf } from '../csrf.guard.js';
import { PageErrorFilter } from '../page-error.filter.js';
import { goTo, Pages, READER_POLICY } from '../pages.js';
import { VisitorGuard } from '../visitors.js';

const CONNECTED = {
  heading: 'The browser extension has your answer',
  text: 'You can close this page.',
  action: { href: '/account', label: 'Your account' },
};

/**
 * The page on which the browser extension finds its consumer key. The browser also returns to this page after a user
 * has granted access to the extension (docs/use/extension.md).
 */
@Public()
@UseFilters(PageErrorFilter)
@UseGuards(VisitorGuard)
@Controller('account')
export class ExtensionPageController {
  constructor(
    private readonly pages: Pages,
    private readonly extensionKey: ExtensionKeyService,
    private readonly config: Config,
  ) {}

  @Get('extension')
  async show(@Req() request: Request, @Res() response: Response): Promise<void> {
    if (textOf(request.query, 'done') === 'answered') {
      this.pages.show(response, 'message', CONNECTED);
      return;
    }
    const found = await this.extensionKey.find();
    const model = {
      csrfToken: csrfTokenOf(request),
      address: ownAddress(request, this.config.publicUrl),
      consumerKey: found?.stored.disabledAt === null ? found.key : undefined,
      isDisabled: found?.stored.disabledAt instanceof Date,
    };
    this.pages.show(response, 'extension', model, { policy: READER_POLICY });
  }

  @Post('extension')
  @UseGuards(CsrfGuard)
  async connect(@Res() response: Response): Promise<void> {
    await this.extensionKey.findOrMake();
    goTo(response, '/account/extension');
  }
}
