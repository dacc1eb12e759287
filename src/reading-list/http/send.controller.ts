import { Controller, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';

import { sendWire } from '../../common/http/send-wire.js';
import { Describes } from '../../common/openapi/operation.js';
import { Permission } from '../../consumers/permission.js';
import { CurrentPrincipal, type Principal } from '../../consumers/principal.js';
import { RequirePermission } from '../../consumers/require-permission.js';
import { SendService } from '../send.service.js';
import { DIALECT_RULES } from './dialect-rules.js';
import { SEND_OPERATION } from './send.operation.js';
import { presentSend } from './send.presenter.js';
import { actionsOf } from './send.request.js';
import { V3Route } from './v3-route.js';

/** POST /v3/send (specification; docs/api/send.md). */
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
    const sent = await this.sending.send(userId, actionsOf(request.body), rules.showsItems);
    sendWire(response, 200, presentSend(sent, rules));
  }
}
