import { Controller, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';

import { Permission, RequirePermission } from '../../auth/consumers/permission.js';
import { CurrentPrincipal, type Principal } from '../../auth/consumers/principal.js';
import { Describes } from '../../platform/common/openapi.js';
import { sendV3 } from '../../pocket-api/v3-responses.js';
import { V3Route } from '../../pocket-api/v3-routes.js';
import { DIALECT_RULES } from '../dialect-rules.js';
import { SEND_OPERATION } from './send.openapi.js';
import { presentSend } from './send.presenter.js';
import { actionsOf } from './send.request.js';
import { SendService } from './send.service.js';

/** Serves POST /v3/send (docs/api/send.md). */
@Controller()
export class SendController {
  constructor(private readonly sending: SendService) {}

  @V3Route('send')
  @RequirePermission(Permission.Modify)
  @Describes(SEND_OPERATION)
  async send(
    @CurrentPrincipal() { userId, dialect }: Principal,
    @Req() request: Request<unknown, unknown, object>,
    @Res() response: Response,
  ): Promise<void> {
    const rules = DIALECT_RULES[dialect];
    const sent = await this.sending.send(userId, actionsOf(request.body), rules.returnsItems);
    sendV3(response, 200, presentSend(sent, rules));
  }
}
