import { Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';

import { ValidationFailedError } from '../../common/common.errors.js';
import { sendWire } from '../../common/http/send-wire.js';
import { Describes } from '../../common/openapi/operation.js';
import { Permission } from '../../consumers/permission.js';
import { CurrentPrincipal, type Principal } from '../../consumers/principal.js';
import { RequirePermission } from '../../consumers/require-permission.js';
import { ImportService } from '../import.service.js';
import { ImportRemarks } from '../import-remarks.js';
import {
  CANCEL_IMPORT_OPERATION,
  FIND_IMPORT_OPERATION,
  IMPORT_REMARKS_OPERATION,
  LIST_IMPORTS_OPERATION,
  START_IMPORT_OPERATION,
} from './import.operations.js';
import { presentImport } from './import.presenter.js';
import { fileOf, restoresDeleted } from './import.request.js';
import { importId } from './import-id.js';
import { sendRemarks } from './send-remarks.js';

/** Files of other services that are brought into the list (docs/api/import.md). */
@Controller()
export class ImportController {
  constructor(
    private readonly imports: ImportService,
    private readonly remarks: ImportRemarks,
  ) {}

  @Post('v3/import')
  @HttpCode(200)
  @RequirePermission([Permission.Add, Permission.Modify])
  @Describes(START_IMPORT_OPERATION)
  async start(
    @CurrentPrincipal() { userId }: Principal,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const upload = fileOf(request);
    if (upload === undefined) {
      throw new ValidationFailedError(['file must be a file, after all other members']);
    }
    const wanted = {
      userId,
      fileName: upload.fileName,
      restoresDeleted: restoresDeleted(request),
    };
    const id = await this.imports.start(wanted, upload.file);
    await this.show(response, userId, id);
  }

  @Get('v3/import')
  @RequirePermission(Permission.Retrieve)
  @Describes(LIST_IMPORTS_OPERATION)
  async list(@CurrentPrincipal() { userId }: Principal, @Res() response: Response): Promise<void> {
    const jobs = await this.imports.latest(userId);
    sendWire(response, 200, { status: 1, imports: jobs.map(presentImport) });
  }

  @Get('v3/import/:id')
  @RequirePermission(Permission.Retrieve)
  @Describes(FIND_IMPORT_OPERATION)
  async find(
    @CurrentPrincipal() { userId }: Principal,
    @Param('id') id: string,
    @Res() response: Response,
  ): Promise<void> {
    await this.show(response, userId, importId(id));
  }

  @Post('v3/import/:id/cancel')
  @HttpCode(200)
  @RequirePermission([Permission.Add, Permission.Modify])
  @Describes(CANCEL_IMPORT_OPERATION)
  async cancel(
    @CurrentPrincipal() { userId }: Principal,
    @Param('id') id: string,
    @Res() response: Response,
  ): Promise<void> {
    const job = await this.imports.cancel(userId, importId(id));
    sendWire(response, 200, { status: 1, import: presentImport(job) });
  }

  @Get('v3/import/:id/remarks')
  @RequirePermission(Permission.Retrieve)
  @Describes(IMPORT_REMARKS_OPERATION)
  async remarksOf(
    @CurrentPrincipal() { userId }: Principal,
    @Param('id') id: string,
    @Res() response: Response,
  ): Promise<void> {
    const job = await this.imports.find(userId, importId(id));
    await sendRemarks(response, job, this.remarks.of(job.id));
  }

  private async show(response: Response, userId: string, id: string): Promise<void> {
    const job = await this.imports.find(userId, id);
    sendWire(response, 200, { status: 1, import: presentImport(job) });
  }
}
