import { Controller, Get, Param, Post, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';

import { User } from '../../auth/entities/user.entity.js';
import { CurrentUser } from '../../auth/http/current-user.js';
import { Public } from '../../common/http/public.js';
import { fileOf } from '../../transfer/http/import.request.js';
import { importId } from '../../transfer/http/import-id.js';
import { sendRemarks } from '../../transfer/http/send-remarks.js';
import { ImportService } from '../../transfer/import.service.js';
import { ImportRemarks } from '../../transfer/import-remarks.js';
import { csrfTokenOf } from '../csrf.js';
import { importViewOf } from '../import-view.js';
import { FileMissingError } from '../pages.errors.js';
import { CsrfGuard } from './csrf.guard.js';
import { PageErrorFilter } from './page-error.filter.js';
import { goTo, Pages } from './pages.js';
import { VisitorGuard } from './visitor.guard.js';

const REFRESH_SECONDS = '3';

/** Where a person brings a library in, and sees how far that is. */
@Public()
@UseFilters(PageErrorFilter)
@UseGuards(VisitorGuard)
@Controller('account')
export class ImportPageController {
  constructor(
    private readonly pages: Pages,
    private readonly imports: ImportService,
    private readonly remarks: ImportRemarks,
  ) {}

  @Post('import')
  @UseGuards(CsrfGuard)
  async start(
    @CurrentUser() { id: userId }: User,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const upload = fileOf(request);
    if (upload === undefined) {
      throw new FileMissingError();
    }
    const { file, fileName } = upload;
    const id = await this.imports.start({ userId, fileName, restoresDeleted: false }, file);
    goTo(response, `/account/imports/${id}`);
  }

  @Get('imports/:id')
  async show(
    @CurrentUser() user: User,
    @Param('id') id: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const job = await this.imports.find(user.id, importId(id));
    const model = { ...importViewOf(job), csrfToken: csrfTokenOf(request) };
    if (model.isUnfinished) {
      // Progress without a script.
      response.set('Refresh', REFRESH_SECONDS);
    }
    this.pages.show(response, 'import', model);
  }

  @Post('imports/:id/cancel')
  @UseGuards(CsrfGuard)
  async cancel(
    @CurrentUser() user: User,
    @Param('id') id: string,
    @Res() response: Response,
  ): Promise<void> {
    const job = await this.imports.cancel(user.id, importId(id));
    goTo(response, `/account/imports/${job.id}`);
  }

  @Get('imports/:id/remarks')
  async download(
    @CurrentUser() user: User,
    @Param('id') id: string,
    @Res() response: Response,
  ): Promise<void> {
    const job = await this.imports.find(user.id, importId(id));
    await sendRemarks(response, job, this.remarks.of(job.id));
  }
}
