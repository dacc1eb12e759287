import { Controller, Get, Param, Post, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';

import { User } from '../../auth/entities/user.entity.js';
import { CurrentUser } from '../../auth/http/auth.guards.js';
import { Public } from '../../platform/http/public.js';
import { sendRowErrors } from '../../transfer/downloads.js';
import { ImportRepository } from '../../transfer/import/import.repository.js';
import { fileOf, importId } from '../../transfer/import/import.request.js';
import { ImportService } from '../../transfer/import/import.service.js';
import { CsrfGuard, csrfTokenOf } from '../csrf.guard.js';
import { PageErrorFilter } from '../page-error.filter.js';
import { FileMissingError } from '../pages.errors.js';
import { goTo, Pages, READER_POLICY } from '../pages.js';
import { VisitorGuard } from '../visitors.js';
import { importViewOf } from './view-models.js';

const REFRESH_SECONDS = '3';

/** The pages on which a user uploads a file of another service and follows the progress of its import. */
@Public()
@UseFilters(PageErrorFilter)
@UseGuards(VisitorGuard)
@Controller('account')
export class ImportPageController {
  constructor(
    private readonly pages: Pages,
    private readonly imports: ImportService,
    private readonly repository: ImportRepository,
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
      // Makes the browser reload the page, because the page shows the progress without a script.
      response.set('Refresh', REFRESH_SECONDS);
    }
    this.pages.show(response, 'import', model, { policy: READER_POLICY });
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
    await sendRowErrors(response, job, this.repository.rowErrors(job.id));
  }
}
