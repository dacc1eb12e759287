import { Body, Controller, Res } from '@nestjs/common';
import type { Response } from 'express';

import { sendWire } from '../../common/http/send-wire.js';
import { Describes } from '../../common/openapi/operation.js';
import { Permission } from '../../consumers/permission.js';
import { CurrentPrincipal, type Principal } from '../../consumers/principal.js';
import { RequirePermission } from '../../consumers/require-permission.js';
import { AddService } from '../add.service.js';
import { ADD_OPERATION } from './add.operation.js';
import { presentAdd } from './add.presenter.js';
import { AddRequest } from './add.request.js';
import { V3Route } from './v3-route.js';

/** POST /v3/add (specification; docs/api/add.md). */
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
    sendWire(response, 200, presentAdd(row, facts));
  }
}
