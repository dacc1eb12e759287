import { Body, Controller, Res } from '@nestjs/common';
import type { Response } from 'express';

import { Permission, RequirePermission } from '../../auth/consumers/permission.js';
import { CurrentPrincipal, type Principal } from '../../auth/consumers/principal.js';
import { Describes } from '../../platform/common/openapi.js';
import { sendV3, sendV3Json } from '../../pocket-api/v3-responses.js';
import { V3Route } from '../../pocket-api/v3-routes.js';
import { FetchRequest } from './fetch.request.js';
import { FETCH_OPERATION, GET_OPERATION, KOBO_GET_OPERATION } from './get.openapi.js';
import { countedInNumbers, presentFetch } from './get.presenter.js';
import { askingForWholeDelta, GetRequest } from './get.request.js';
import { GetService } from './get.service.js';

/**
 * Serves POST /v3/get (specification of the v3 API; docs/api/get.md) and two similar endpoints: `/v3/fetch`, and
 * `/v3/get` for e-readers.
 */
@Controller()
export class GetController {
  constructor(private readonly lists: GetService) {}

  @V3Route('get')
  @RequirePermission(Permission.Retrieve)
  @Describes(GET_OPERATION)
  async get(
    @CurrentPrincipal() principal: Principal,
    @Body() request: GetRequest,
    @Res() response: Response,
  ): Promise<void> {
    sendV3Json(response, 200, await this.lists.getJson(principal, request));
  }

  /**
   * Handles a call of `/v3/get` from an e-reader. Returns all changes, including archived and deleted items, and
   * `total` as a number, as e-readers expect.
   */
  @V3Route('koboGet')
  @RequirePermission(Permission.Retrieve)
  @Describes(KOBO_GET_OPERATION)
  async koboGet(
    @CurrentPrincipal() principal: Principal,
    @Body() request: GetRequest,
    @Res() response: Response,
  ): Promise<void> {
    const answer = await this.lists.get(principal, askingForWholeDelta(request));
    sendV3(response, 200, countedInNumbers(answer));
  }

  @V3Route('fetch')
  @RequirePermission(Permission.Retrieve)
  @Describes(FETCH_OPERATION)
  async fetch(
    @CurrentPrincipal() principal: Principal,
    @Body() request: FetchRequest,
    @Res() response: Response,
  ): Promise<void> {
    sendV3(response, 200, presentFetch(await this.lists.get(principal, request), request));
  }
}
