import { Controller, Res } from '@nestjs/common';
import type { Response } from 'express';

import { sendWire } from '../../common/http/send-wire.js';
import { Describes } from '../../common/openapi/operation.js';
import { Permission } from '../../consumers/permission.js';
import { CurrentPrincipal, type Principal } from '../../consumers/principal.js';
import { RequirePermission } from '../../consumers/require-permission.js';
import { STATS_OPERATION } from './stats.operation.js';
import { presentStats } from './stats.presenter.js';
import { V3Route } from './v3-route.js';

/** POST /v3/stats (docs/api/stats.md). */
@Controller()
export class StatsController {
  @V3Route('stats')
  @RequirePermission(Permission.Retrieve)
  @Describes(STATS_OPERATION)
  stats(@CurrentPrincipal() { list }: Principal, @Res() response: Response): void {
    sendWire(response, 200, presentStats(list));
  }
}
