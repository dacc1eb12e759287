import { Body, Controller, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';

import { Public } from '../../common/http/public.js';
import { Describes } from '../../common/openapi/operation.js';
import { ThrottleGuard } from '../../throttling/throttle.guard.js';
import { ThrottledBy } from '../../throttling/throttled-by.js';
import { User } from '../entities/user.entity.js';
import { ProofOfIdentityGuard } from '../guards/proof-of-identity.guard.js';
import { SignedInGuard } from '../guards/signed-in.guard.js';
import { LoginService } from '../login.service.js';
import { RefreshService } from '../refresh.service.js';
import { Registration } from '../registration.js';
import { RegistrationService } from '../registration.service.js';
import { AccountLimit } from '../throttle-limits.js';
import { LOGIN, LOGOUT, REFRESH, REGISTER } from './account.operations.js';
import {
  presentTokenPair,
  presentUser,
  type WireTokenPair,
  type WireUser,
} from './account.presenter.js';
import { CurrentUser } from './current-user.js';
import { RefreshRequest } from './refresh.request.js';
import { Sessions } from './sessions.js';

/** The account endpoints (specification, "Account part"; docs/api/account.md). */
@Public()
@UseGuards(ThrottleGuard)
@Controller()
export class AccountController {
  constructor(
    private readonly registrations: RegistrationService,
    private readonly logins: LoginService,
    private readonly refreshes: RefreshService,
    private readonly sessions: Sessions,
  ) {}

  @Post('register')
  @Describes(REGISTER)
  @ThrottledBy([AccountLimit.RegisterPerAddress])
  async register(@Body() registration: Registration): Promise<WireUser> {
    return presentUser(await this.registrations.register(registration));
  }

  @Post('login')
  @Describes(LOGIN)
  @HttpCode(200)
  @ThrottledBy([AccountLimit.LoginPerAddress, AccountLimit.LoginPerAccount])
  @UseGuards(ProofOfIdentityGuard)
  async login(@CurrentUser() user: User, @Req() request: Request): Promise<WireTokenPair> {
    const pair = await this.logins.login(user);
    await this.sessions.begin(request, user);
    return presentTokenPair(pair);
  }

  @Post('refresh')
  @Describes(REFRESH)
  @HttpCode(200)
  @ThrottledBy([AccountLimit.RefreshPerAddress])
  async refresh(@Body() request: RefreshRequest): Promise<WireTokenPair> {
    return presentTokenPair(await this.refreshes.refresh(request.refresh_token));
  }

  @Post('logout')
  @Describes(LOGOUT)
  @HttpCode(204)
  @UseGuards(SignedInGuard)
  async logout(
    @CurrentUser() user: User,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    await this.sessions.end(user, request, response);
  }
}
