import { Body, Controller, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';

import { Permission, RequirePermission } from '../../auth/consumers/permission.js';
import { CurrentPrincipal, type Principal } from '../../auth/consumers/principal.js';
import { originOf } from '../../auth/session/device.js';
import { Describes } from '../../platform/common/openapi.js';
import { V3Route } from '../../pocket-api/v3-routes.js';
import { sendExport } from '../downloads.js';
import { EXPORT_OPERATION, ExportRequest } from './export.openapi.js';
import { ExportService } from './export.service.js';

/** GET /v3/export (docs/api/export.md). */
@Controller()
export class ExportController {
  constructor(private readonly exports: ExportService) {}

  @V3Route('export')
  @RequirePermission(Permission.Retrieve)
  @Describes(EXPORT_OPERATION)
  async export(
    @CurrentPrincipal() { userId }: Principal,
    @Body() { format, articles = false }: ExportRequest,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const origin = originOf(request);
    response.set('X-Source', 'Pocket');
    await sendExport(response, this.exports, { userId, format, withArticles: articles, origin });
  }
}
