import { randomBytes } from 'node:crypto';

import { Controller, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';

import { Public } from '../../common/http/public.js';
import { sendWire } from '../../common/http/send-wire.js';
import { Describes } from '../../common/openapi/operation.js';
import {
  CallingConsumer,
  type Consumer,
  ConsumerKeyGuard,
} from '../../consumers/consumer-key.guard.js';
import { outcomeOfReport } from '../actions/report.parser.js';
import { DIALECT_RULES } from './dialect-rules.js';
import { GUID_OPERATION, SEND_GUID_OPERATION, type WireGuid } from './guid.operations.js';
import { requireGuid } from './guid.request.js';
import { presentSend } from './send.presenter.js';
import { actionsOf } from './send.request.js';
import { V3Route } from './v3-route.js';

const GUID_BYTES = 16;

/** What the original's apps call before anybody has logged in (docs/api/guid.md): nothing is stored of it. */
@Public()
@UseGuards(ConsumerKeyGuard)
@Controller()
export class GuidController {
  @V3Route('guid')
  @Describes(GUID_OPERATION)
  issue(@Res() response: Response): void {
    const answer: WireGuid = { guid: randomBytes(GUID_BYTES).toString('hex') };
    sendWire(response, 200, answer);
  }

  @V3Route('sendGuid')
  @Describes(SEND_GUID_OPERATION)
  send(
    @CallingConsumer() { dialect }: Consumer,
    @Req() { body }: Request<unknown, unknown, object>,
    @Res() response: Response,
  ): void {
    requireGuid(body);
    const outcomes = actionsOf(body).map(outcomeOfReport);
    sendWire(response, 200, presentSend(outcomes, DIALECT_RULES[dialect]));
  }
}
