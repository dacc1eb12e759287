import { Controller, Get, NotFoundException, Param, Res, UseFilters } from '@nestjs/common';
import type { Response } from 'express';

import { isId } from '../../platform/common/request-fields.js';
import { Public } from '../../platform/http/public.js';
import { PageErrorFilter } from '../page-error.filter.js';
import { goTo } from '../pages.js';

const MOVED = 301;

/**
 * Redirects the addresses of pages of the original Pocket. Such addresses are still in bookmarks and mails
 * (docs/use/reader.md).
 */
@Public()
@UseFilters(PageErrorFilter)
@Controller()
export class OldLinksController {
  @Get('saves')
  list(@Res() response: Response): void {
    goTo(response, '/list', MOVED);
  }

  @Get('a/read/:id')
  article(@Param('id') id: string, @Res() response: Response): void {
    if (!isId(id)) {
      throw new NotFoundException();
    }
    goTo(response, `/read/${id}`, MOVED);
  }
}
