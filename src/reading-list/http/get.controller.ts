import { Body, Controller, Res } from '@nestjs/common';
import type { Response } from 'express';

import { sendJson, sendWire } from '../../common/http/send-wire.js';
import { Describes } from '../../common/openapi/operation.js';
import { Permission } from '../../consumers/permission.js';
import { CurrentPrincipal, type Principal } from '../../consumers/principal.js';
import { RequirePermission } from '../../consumers/require-permission.js';
import { FETCH_OPERATION } from './fetch.operation.js';
import { presentFetch } from './fetch.presenter.js';
import { FetchRequest } from './fetch.request.js';
import { GET_OPERATION } from './get.operation.js';
import { GetRequest } from './get.request.js';
import { GetAnswers } from './get-answers.js';
import { askingForWholeDelta, countedInNumbers, KOBO_GET_OPERATION } from './kobo-get.js';
import { V3Route } from './v3-route.js';

/** POST /v3/get (specification; docs/api/get.md), and the calls that are get in another dress. */
@Controller()
export class GetController {
  constructor(private readonly answers: GetAnswers) {}

  @V3Route('get')
  @RequirePermission(Permission.Retrieve)
  @Describes(GET_OPERATION)
  async get(
    @CurrentPrincipal() principal: Principal,
    @Body() request: GetRequest,
    @Res() response: Response,
  ): Promise<void> {
    sendJson(response, 200, await this.answers.json(principal, request));
  }

  /** As `get`, but for the number of items, which e-readers take for a number, and for deltas. */
  @V3Route('koboGet')
  @RequirePermission(Permission.Retrieve)
  @Describes(KOBO_GET_OPERATION)
  async koboGet(
    @CurrentPrincipal() principal: Principal,
    @Body() request: GetRequest,
    @Res() response: Response,
  ): Promise<void> {
    const answer = await this.answers.read(principal, askingForWholeDelta(request));
    sendWire(response, 200, countedInNumbers(answer));
  }

  @V3Route('fetch')
  @RequirePermission(Permission.Retrieve)
  @Describes(FETCH_OPERATION)
  async fetch(
    @CurrentPrincipal() principal: Principal,
    @Body() request: FetchRequest,
    @Res() response: Response,
  ): Promise<void> {
    sendWire(response, 200, presentFetch(await this.answers.read(principal, request), request));
  }
}
