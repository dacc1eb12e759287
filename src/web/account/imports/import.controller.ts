import { Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';

import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser } from '../../../auth/http/auth.guards.js';
import { originOf } from '../../../auth/session/device.js';
import { type Answer, redirect } from '../../../platform/http/answer.js';
import { message } from '../../../platform/i18n/message.js';
import { sendRowErrors } from '../../../transfer/downloads.js';
import { ImportRepository } from '../../../transfer/import/import.repository.js';
import { fileOf, foldersBecomeLists, importId } from '../../../transfer/import/import.request.js';
import { ImportService } from '../../../transfer/import/import.service.js';
import { UndoService } from '../../../transfer/undo/undo.service.js';
import { Page } from '../../page.js';
import type { ShownPage } from '../../template.js';
import { DataPage } from '../data/data-page.js';
import { importPageOf, undoPageOf } from './import.view.js';

const REFRESH_SECONDS = '3';

/** The pages on which a user uploads a file of another service and follows the progress of its import. */
@Page('account')
export class ImportPageController {
  constructor(
    private readonly imports: ImportService,
    private readonly repository: ImportRepository,
    private readonly page: DataPage,
    private readonly undos: UndoService,
  ) {}

  @Post('import')
  async start(
    @CurrentUser() { id: userId }: User,
    @Req() request: Request,
  ): Promise<ShownPage | Answer> {
    const upload = fileOf(request);
    if (upload === undefined) {
      return this.page.show(userId, [
        { field: 'import-file', text: message('errors.fileMissing') },
      ]);
    }
    const { file, fileName } = upload;
    const rules = { restoresDeleted: false, foldersBecomeLists: foldersBecomeLists(request) };
    const id = await this.imports.start({ userId, fileName, ...rules }, file);
    return redirect(`/account/imports/${id}`);
  }

  @Get('imports/:id')
  async show(
    @CurrentUser() user: User,
    @Param('id') id: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ShownPage> {
    const job = await this.imports.find(user.id, importId(id));
    if (job.finishedAt === null) {
      // The page shows the progress without a script, so the browser must reload the page to update the progress.
      response.set('Refresh', REFRESH_SECONDS);
    }
    return importPageOf(job, this.undos.canUndo(job));
  }

  @Post('imports/:id/cancel')
  async cancel(@CurrentUser() user: User, @Param('id') id: string): Promise<Answer> {
    const job = await this.imports.cancel(user.id, importId(id));
    return redirect(`/account/imports/${job.id}`);
  }

  @Get('imports/:id/undo')
  async confirmUndo(@CurrentUser() user: User, @Param('id') id: string): Promise<ShownPage> {
    const job = await this.imports.find(user.id, importId(id));
    return undoPageOf(job, await this.undos.preview(job));
  }

  @Post('imports/:id/undo')
  async undo(
    @CurrentUser() { id: userId }: User,
    @Param('id') id: string,
    @Req() request: Request,
  ): Promise<Answer> {
    const origin = originOf(request);
    const job = await this.undos.begin({ userId, id: importId(id), origin });
    return redirect(`/account/imports/${job.id}`);
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
