import { Body, Controller, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';

import { defined } from '../../lib/util/defined.js';
import { Describes } from '../../platform/common/openapi.js';
import { Config } from '../../platform/config/config.js';
import { Public } from '../../platform/http/public.js';
import { isFromStranger } from '../../platform/http/request-origin.js';
import { ThrottledBy, ThrottleGuard } from '../../platform/throttling/throttle.guard.js';
import { User } from '../entities/user.entity.js';
import { Registration } from '../registration.js';
import { RegistrationService } from '../registration.service.js';
import { originOf } from '../session/device.js';
import { Sessions } from '../session/sessions.js';
import { AccountLimit } from '../throttle-limits.js';
import { TokenService } from '../token.service.js';
import {
  presentTokenPair,
  presentUser,
  RefreshRequest,
  type TokenPairResponse,
  type UserResponse,
} from './account.dto.js';
import { LOGIN, LOGOUT, REFRESH, REGISTER } from './account.openapi.js';
import {
  CredentialGuard,
  CurrentUser,
  isByPassword,
  RegistrationGuard,
  SignedInGuard,
} from './auth.guards.js';

/**
 * Serves the account endpoints, such as `/register` and `/login` (specification, "Account part"; docs/api/account.md).
 */
@Public()
@UseGuards(ThrottleGuard)
@Controller()
export class AccountController {
  constructor(
    private readonly registrations: RegistrationService,
    private readonly tokens: TokenService,
    private readonly sessions: Sessions,
    private readonly config: Config,
  ) {}

  @Post('register')
  @Describes(REGISTER)
  @ThrottledBy([AccountLimit.RegisterPerAddress])
  @UseGuards(RegistrationGuard)
  async register(
    @Body() registration: Registration,
    @Req() request: Request,
  ): Promise<UserResponse> {
    const { name, email, password, invitation } = registration;
    const account = { name, email, password, ...defined({ invitation }) };
    const sender = {
      origin: originOf(request),
      isFromStranger: isFromStranger(request, this.config),
    };
    return presentUser(await this.registrations.register({ ...account, ...sender }));
  }

  @Post('login')
  @Describes(LOGIN)
  @HttpCode(200)
  @ThrottledBy([AccountLimit.LoginPerAddress, AccountLimit.LoginPerAccount])
  @UseGuards(CredentialGuard)
  async login(
    @CurrentUser() user: User,
    @Req() request: Request,
    @Body() body: object,
  ): Promise<TokenPairResponse> {
    const pair = await this.tokens.issue(user);
    await this.sessions.logIn(request, user, isByPassword(body));
    return presentTokenPair(pair);
  }

  @Post('refresh')
  @Describes(REFRESH)
  @HttpCode(200)
  @ThrottledBy([AccountLimit.RefreshPerAddress])
  async refresh(@Body() request: RefreshRequest): Promise<TokenPairResponse> {
    return presentTokenPair(await this.tokens.refresh(request.refresh_token));
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
