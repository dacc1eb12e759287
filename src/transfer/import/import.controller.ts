import { Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';

import { Permission, RequirePermission } from '../../auth/consumers/permission.js';
import { CurrentPrincipal, type Principal } from '../../auth/consumers/principal.js';
import { originOf } from '../../auth/session/device.js';
import { ValidationFailedError } from '../../platform/common/common.errors.js';
import { Describes } from '../../platform/common/openapi.js';
import type { Answer } from '../../platform/http/answer.js';
import { v3Answer } from '../../pocket-api/v3-responses.js';
import { sendRowErrors } from '../downloads.js';
import { UndoService } from '../undo/undo.service.js';
import {
  CANCEL_IMPORT_OPERATION,
  FIND_IMPORT_OPERATION,
  IMPORT_ROW_ERRORS_OPERATION,
  LIST_IMPORTS_OPERATION,
  START_IMPORT_OPERATION,
  UNDO_IMPORT_OPERATION,
} from './import.openapi.js';
import { presentImport } from './import.presenter.js';
import { ImportRepository } from './import.repository.js';
import { fileOf, foldersBecomeLists, importId, restoresDeleted } from './import.request.js';
import { ImportService } from './import.service.js';

/** Imports files of other services into the list (docs/api/import.md). */
@Controller()
export class ImportController {
  constructor(
    private readonly imports: ImportService,
    private readonly repository: ImportRepository,
    private readonly undos: UndoService,
  ) {}

  @Post('v3/import')
  @HttpCode(200)
  @RequirePermission([Permission.Add, Permission.Modify])
  @Describes(START_IMPORT_OPERATION)
  async start(@CurrentPrincipal() { userId }: Principal, @Req() request: Request): Promise<Answer> {
    const upload = fileOf(request);
    if (upload === undefined) {
      throw new ValidationFailedError(['file must be a file, after all other parameters']);
    }
    const wanted = {
      userId,
      fileName: upload.fileName,
      restoresDeleted: restoresDeleted(request),
      foldersBecomeLists: foldersBecomeLists(request),
    };
    const id = await this.imports.start(wanted, upload.file);
    return this.show(userId, id);
  }

  @Get('v3/import')
  @RequirePermission(Permission.Retrieve)
  @Describes(LIST_IMPORTS_OPERATION)
  async list(@CurrentPrincipal() { userId }: Principal): Promise<Answer> {
    const jobs = await this.imports.latest(userId);
    return v3Answer({ status: 1, imports: jobs.map(presentImport) });
  }

  @Get('v3/import/:id')
  @RequirePermission(Permission.Retrieve)
  @Describes(FIND_IMPORT_OPERATION)
  find(@CurrentPrincipal() { userId }: Principal, @Param('id') id: string): Promise<Answer> {
    return this.show(userId, importId(id));
  }

  @Post('v3/import/:id/cancel')
  @HttpCode(200)
  @RequirePermission([Permission.Add, Permission.Modify])
  @Describes(CANCEL_IMPORT_OPERATION)
  async cancel(
    @CurrentPrincipal() { userId }: Principal,
    @Param('id') id: string,
  ): Promise<Answer> {
    const job = await this.imports.cancel(userId, importId(id));
    return v3Answer({ status: 1, import: presentImport(job) });
  }

  @Post('v3/import/:id/undo')
  @HttpCode(200)
  @RequirePermission([Permission.Add, Permission.Modify])
  @Describes(UNDO_IMPORT_OPERATION)
  async undo(
    @CurrentPrincipal() { userId }: Principal,
    @Param('id') id: string,
    @Req() request: Request,
  ): Promise<Answer> {
    const origin = originOf(request);
    const job = await this.undos.begin({ userId, id: importId(id), origin });
    return v3Answer({ status: 1, import: presentImport(job) });
  }

  @Get('v3/import/:id/remarks')
  @RequirePermission(Permission.Retrieve)
  @Describes(IMPORT_ROW_ERRORS_OPERATION)
  async rowErrors(
    @CurrentPrincipal() { userId }: Principal,
    @Param('id') id: string,
    @Res() response: Response,
  ): Promise<void> {
    const job = await this.imports.find(userId, importId(id));
    await sendRowErrors(response, job, this.repository.rowErrors(job.id));
  }

  private async show(userId: string, id: string): Promise<Answer> {
    const job = await this.imports.find(userId, id);
    return v3Answer({ status: 1, import: presentImport(job) });
  }
}
