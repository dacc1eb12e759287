import { Get, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';

import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser } from '../../../auth/http/auth.guards.js';
import { originOf } from '../../../auth/session/device.js';
import { isExportFormat } from '../../../lib/library-formats/writing/export-formats.js';
import { fieldProblem, ValidationFailedError } from '../../../platform/common/common.errors.js';
import { textOf } from '../../../platform/common/request-fields.js';
import { sendExport } from '../../../transfer/downloads.js';
import { ExportService } from '../../../transfer/export/export.service.js';
import { Page } from '../../page.js';
import type { ShownPage } from '../../template.js';
import { DataPage } from './data-page.js';

/** The page on which a user imports a file of another service and exports the list. */
@Page('account')
export class DataPageController {
  constructor(
    private readonly page: DataPage,
    private readonly exports: ExportService,
  ) {}

  @Get('data')
  show(@CurrentUser() { id }: User): Promise<ShownPage> {
    return this.page.show(id);
  }

  @Post('export')
  async export(
    @CurrentUser() { id: userId }: User,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const format = textOf(request.body, 'format');
    if (!isExportFormat(format)) {
      throw new ValidationFailedError([
        fieldProblem('format', 'must be one of those that the page offers'),
      ]);
    }
    const withArticles = textOf(request.body, 'articles') === '1';
    response.status(200);
    await sendExport(response, this.exports, { userId, format, withArticles, origin: originOf(request) });
  }
}
