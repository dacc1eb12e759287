import { Body, Controller, Res } from '@nestjs/common';
import type { Response } from 'express';

import { Permission, RequirePermission } from '../../auth/consumers/permission.js';
import { CurrentPrincipal, type Principal } from '../../auth/consumers/principal.js';
import { Describes } from '../../platform/common/openapi.js';
import { sendV3 } from '../../pocket-api/v3-responses.js';
import { V3Route } from '../../pocket-api/v3-routes.js';
import { ADD_OPERATION } from './add.openapi.js';
import { presentAdd } from './add.presenter.js';
import { AddRequest } from './add.request.js';
import { AddService } from './add.service.js';

/** Serves POST /v3/add (specification of the v3 API; docs/api/add.md). */
@Controller()
export class AddController {
  constructor(private readonly adding: AddService) {}

  @V3Route('add')
  @RequirePermission(Permission.Add)
  @Describes(ADD_OPERATION)
  async add(
    @CurrentPrincipal() { userId }: Principal,
    @Body() request: AddRequest,
    @Res() response: Response,
  ): Promise<void> {
    const { row, facts } = await this.adding.add(userId, request.toItem());
    sendV3(response, 200, presentAdd(row, facts));
  }
}
