import { Controller, Post, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';

import { User } from '../../auth/entities/user.entity.js';
import { CurrentUser } from '../../auth/http/current-user.js';
import { ValidationFailedError } from '../../common/common.errors.js';
import { Public } from '../../common/http/public.js';
import { ExportService } from '../../transfer/export/export.service.js';
import { isExportFormat } from '../../transfer/export/export-formats.js';
import { sendExport } from '../../transfer/http/send-export.js';
import { textOf } from '../fields.js';
import { CsrfGuard } from './csrf.guard.js';
import { PageErrorFilter } from './page-error.filter.js';
import { VisitorGuard } from './visitor.guard.js';

/** The form of the account page that hands a person the whole list as a file. */
@Public()
@UseFilters(PageErrorFilter)
@UseGuards(CsrfGuard, VisitorGuard)
@Controller()
export class ExportPageController {
  constructor(private readonly exports: ExportService) {}

  @Post('account/export')
  async export(
    @CurrentUser() { id: userId }: User,
    @Req() { body }: Request,
    @Res() response: Response,
  ): Promise<void> {
    const format = textOf(body, 'format');
    if (!isExportFormat(format)) {
      throw new ValidationFailedError(['format must be one of those that the page offers']);
    }
    const withArticles = textOf(body, 'articles') === '1';
    response.status(200);
    await sendExport(response, this.exports, { userId, format, withArticles });
  }
}
