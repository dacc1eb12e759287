import { Get, Req, UseGuards } from '@nestjs/common';
import type { Request } from 'express';

import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser } from '../../../auth/http/auth.guards.js';
import { AccountLimit } from '../../../auth/throttle-limits.js';
import type { Answer } from '../../../platform/http/answer.js';
import { ThrottledBy, ThrottleGuard } from '../../../platform/throttling/throttle.guard.js';
import { Page } from '../../page.js';
import type { ShownPage } from '../../template.js';
import { OpenWithoutSecondFactor } from '../../visitors.js';
import { IssuerConfirmations } from './issuer-confirmations.js';

/** Redirects a logged-in user to the issuer, to log in there again. */
@Page('auth/oidc/confirm')
@OpenWithoutSecondFactor('missing', 'unproven')
export class IssuerConfirmController {
  constructor(private readonly confirmations: IssuerConfirmations) {}

  @Get()
  @UseGuards(ThrottleGuard)
  @ThrottledBy([AccountLimit.IssuerPerAddress])
  start(@CurrentUser() user: User, @Req() request: Request): Promise<ShownPage | Answer> {
    return this.confirmations.start(request, user);
  }
}
