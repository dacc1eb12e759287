import { Body, Controller, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';

import { ApplicationLimit } from '../../auth/throttle-limits.js';
import { Public } from '../../common/http/public.js';
import { Describes } from '../../common/openapi/operation.js';
import { ThrottleGuard } from '../../throttling/throttle.guard.js';
import { ThrottledBy } from '../../throttling/throttled-by.js';
import { AuthorizationsService } from '../authorizations.service.js';
import { ApplicationGuard } from '../guards/application.guard.js';
import { CodeMissingError, RedirectUriMissingError } from '../oauth.errors.js';
import { RequestCodesService } from '../request-codes.service.js';
import { CurrentApplication } from './current-application.js';
import { AUTHORIZE_OPERATION, REQUEST_OPERATION } from './oauth.operations.js';
import { presentAccess, presentCode, sendOAuth } from './oauth.presenter.js';
import { ExchangeRequest, MetaRequest, RequestCodeRequest } from './oauth.requests.js';
import { OAuthRoute } from './oauth-endpoints.js';
import { META_OPERATION } from './request-meta.operation.js';
import { presentMeta } from './request-meta.presenter.js';

/** The first and the third step of a client on its way to an access token, and what is known of a code (docs/api/oauth.md). */
@Public()
@UseGuards(ApplicationGuard, ThrottleGuard)
@Controller()
export class OAuthController {
  constructor(
    private readonly codes: RequestCodesService,
    private readonly authorizations: AuthorizationsService,
  ) {}

  @OAuthRoute('request')
  @Describes(REQUEST_OPERATION)
  @ThrottledBy([ApplicationLimit.RequestPerAddress, ApplicationLimit.RequestPerKey])
  async request(
    @CurrentApplication() consumerKeyId: string,
    @Body() { redirect_uri: redirectUri, state }: RequestCodeRequest,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    if (redirectUri === undefined) {
      throw new RedirectUriMissingError();
    }
    const code = await this.codes.issue({ consumerKeyId, redirectUri, state });
    sendOAuth(request, response, presentCode(code, state));
  }

  @OAuthRoute('authorize')
  @Describes(AUTHORIZE_OPERATION)
  async authorize(
    @CurrentApplication() consumerKeyId: string,
    @Body() { code, redirect_uri: redirectUri }: ExchangeRequest,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    if (code === undefined) {
      throw new CodeMissingError();
    }
    const access = await this.codes.exchange({ consumerKeyId, code, redirectUri });
    sendOAuth(request, response, presentAccess(access));
  }

  @OAuthRoute('requestMeta')
  @Describes(META_OPERATION)
  async requestMeta(
    @Body() { request_token: code }: MetaRequest,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    if (code === undefined) {
      throw new CodeMissingError();
    }
    sendOAuth(request, response, presentMeta(await this.authorizations.find(code)));
  }
}
