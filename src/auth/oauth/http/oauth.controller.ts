import {
  All,
  applyDecorators,
  Body,
  Controller,
  HttpCode,
  Injectable,
  UseGuards,
} from '@nestjs/common';

import { Describes } from '../../../platform/common/openapi.js';
import { Public } from '../../../platform/http/public.js';
import { ThrottledBy, ThrottleGuard } from '../../../platform/throttling/throttle.guard.js';
import {
  CallingConsumer,
  type Consumer,
  ConsumerKeyGuard,
} from '../../consumers/consumer-key.guard.js';
import { ApplicationLimit } from '../../throttle-limits.js';
import { AuthorizationsService } from '../authorizations.service.js';
import {
  ApplicationRefusedError,
  CodeMissingError,
  RedirectUriMissingError,
} from '../oauth.errors.js';
import { RequestCodesService } from '../request-codes.service.js';
import {
  ExchangeRequest,
  MetaRequest,
  OAuthAnswer,
  presentAccess,
  presentCode,
  presentMeta,
  RequestCodeRequest,
} from './oauth.dto.js';
import { AUTHORIZE_OPERATION, META_OPERATION, REQUEST_OPERATION } from './oauth.openapi.js';

/**
 * The paths at which applications request access and exchange request codes for tokens. Old client programs append
 * `.php` to the paths.
 */
export const OAUTH_PATHS = {
  request: ['/v3/oauth/request', '/v3/oauth/request.php'],
  authorize: ['/v3/oauth/authorize', '/v3/oauth/authorize.php'],
  requestMeta: ['/v3/oauth/request_meta'],
} as const;

export const OAUTH_BODY_LIMIT = 16 * 1024;

/**
 * Registers a handler at all paths of an endpoint. As in the original Pocket API, all methods are
 * accepted, and the status of a successful response is 200.
 */
const OAuthRoute = (endpoint: keyof typeof OAUTH_PATHS): MethodDecorator =>
  applyDecorators(All([...OAUTH_PATHS[endpoint]]), HttpCode(200));

/** Rejects an unknown or disabled consumer key with the error of the original Pocket API. */
@Injectable()
class ApplicationGuard extends ConsumerKeyGuard {
  protected override refusal(): Error {
    return new ApplicationRefusedError();
  }
}

/**
 * Serves the OAuth endpoints. An application gets a request code here, exchanges it for an access
 * token, and fetches the details of its request (docs/api/oauth.md).
 */
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
    @CallingConsumer() { id: consumerKeyId }: Consumer,
    @Body() { redirect_uri: redirectUri, state }: RequestCodeRequest,
  ): Promise<OAuthAnswer> {
    if (redirectUri === undefined) {
      throw new RedirectUriMissingError();
    }
    const code = await this.codes.issue({ consumerKeyId, redirectUri, state });
    return new OAuthAnswer(presentCode(code, state));
  }

  @OAuthRoute('authorize')
  @Describes(AUTHORIZE_OPERATION)
  async authorize(
    @CallingConsumer() { id: consumerKeyId }: Consumer,
    @Body() { code, redirect_uri: redirectUri }: ExchangeRequest,
  ): Promise<OAuthAnswer> {
    if (code === undefined) {
      throw new CodeMissingError();
    }
    const access = await this.codes.exchange({ consumerKeyId, code, redirectUri });
    return new OAuthAnswer(presentAccess(access));
  }

  @OAuthRoute('requestMeta')
  @Describes(META_OPERATION)
  async requestMeta(@Body() { request_token: code }: MetaRequest): Promise<OAuthAnswer> {
    if (code === undefined) {
      throw new CodeMissingError();
    }
    return new OAuthAnswer(presentMeta(await this.authorizations.find(code)));
  }
}
