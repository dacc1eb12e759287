import { Body, Controller, Res } from '@nestjs/common';
import type { Response } from 'express';

import { Describes } from '../../common/openapi/operation.js';
import { Permission } from '../../consumers/permission.js';
import { CurrentPrincipal, type Principal } from '../../consumers/principal.js';
import { RequirePermission } from '../../consumers/require-permission.js';
import { V3Route } from '../../reading-list/http/v3-route.js';
import { ExportService } from '../export/export.service.js';
import { EXPORT_OPERATION } from './export.operation.js';
import { ExportRequest } from './export.request.js';
import { sendExport } from './send-export.js';

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
    @Res() response: Response,
  ): Promise<void> {
    response.set('X-Source', 'Pocket');
    await sendExport(response, this.exports, { userId, format, withArticles: articles });
  }
}
