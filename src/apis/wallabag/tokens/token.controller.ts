import { Body, Controller, Req, RequestMethod } from '@nestjs/common';
import type { Request } from 'express';

import { ClientsService } from '../../../auth/consumers/clients.service.js';
import type { ConsumerKey } from '../../../auth/consumers/entities/consumer-key.entity.js';
import { CallLimits } from '../../../platform/throttling/call-limits.js';
import { TextParam } from '../../../pocket-api/params.js';
import { OpenWallabagRoute } from '../wallabag-route.js';
import { TokenAnswer, TokenRefusedError } from '../wire/wallabag-answers.js';
import { PasswordLogins } from './password-logins.js';
import { ACCESS_SECONDS, type IssuedTokens } from './wallabag-token.repository.js';
import { WallabagTokens } from './wallabag-tokens.service.js';

const MAX = { max: 1024 };

/** The parameters of all requests for tokens. Other parameters, such as `scope`, are ignored. */
class TokenRequest {
  @TextParam(MAX)
  grant_type?: string;

  @TextParam(MAX)
  client_id?: string;

  @TextParam(MAX)
  client_secret?: string;

  @TextParam(MAX)
  username?: string;

  @TextParam(MAX)
  password?: string;

  @TextParam(MAX)
  refresh_token?: string;
}

/** Issues tokens to apps made for wallabag (docs/api/wallabag.md, "Tokens"). */
@Controller('wallabag/oauth/v2/token')
export class TokenController {
  constructor(
    private readonly clients: ClientsService,
    private readonly logins: PasswordLogins,
    private readonly tokens: WallabagTokens,
    private readonly limits: CallLimits,
  ) {}

  @OpenWallabagRoute(RequestMethod.POST)
  async issue(@Body() params: TokenRequest, @Req() request: Request): Promise<TokenAnswer> {
    return new TokenAnswer(presented(await this.tokensFor(params, request)));
  }

  /**
   * Issues tokens to clients that send the parameters in the query string. The log does not contain the credentials,
   * because the service does not log query strings (docs/decisions/0070).
   */
  @OpenWallabagRoute(RequestMethod.GET)
  issueByQuery(@Body() params: TokenRequest, @Req() request: Request): Promise<TokenAnswer> {
    return this.issue(params, request);
  }

  private async tokensFor(params: TokenRequest, request: Request): Promise<IssuedTokens> {
    const { grant_type: grantType } = params;
    if (grantType === undefined) {
      throw invalid('Invalid grant_type parameter or parameter missing');
    }
    const client = await this.clientOf(params, request);
    switch (grantType) {
      case 'password':
        return this.byPassword(client, params, request);
      case 'refresh_token':
        return this.byRefreshToken(client, params);
      case 'client_credentials':
        throw new TokenRefusedError(
          'unauthorized_client',
          'Every token here is of a user: use the grant type password.',
        );
      default:
        throw new TokenRefusedError('unsupported_grant_type', 'This grant type is not supported.');
    }
  }

  private async clientOf(params: TokenRequest, request: Request): Promise<ConsumerKey> {
    const { id, secret } = basicCredentials(request) ?? {
      id: params.client_id ?? '',
      secret: params.client_secret ?? '',
    };
    if (id === '') {
      throw new TokenRefusedError(
        'invalid_client',
        'Client id was not found in the headers or body',
      );
    }
    const client = await this.clients.authenticate(id, secret);
    if (client === undefined) {
      throw new TokenRefusedError('invalid_client', 'The client credentials are invalid');
    }
    return client;
  }

  private async byPassword(
    client: ConsumerKey,
    { username, password }: TokenRequest,
    request: Request,
  ): Promise<IssuedTokens> {
    if (username === undefined || password === undefined) {
      throw invalid('Missing parameters. "username" and "password" required');
    }
    const loggedIn = await this.logins.find(request, { client, email: username, password });
    await this.limits.countSyncCall(loggedIn.user.id, client.id);
    return this.tokens.issue(client, loggedIn);
  }

  private byRefreshToken(
    client: ConsumerKey,
    { refresh_token: refreshToken }: TokenRequest,
  ): Promise<IssuedTokens> {
    if (refreshToken === undefined) {
      throw invalid('No "refresh_token" parameter found');
    }
    return this.tokens.refresh(client, refreshToken);
  }
}

const invalid = (description: string): TokenRefusedError =>
  new TokenRefusedError('invalid_request', description);

const BASIC = /^basic +([\w+/=-]+)$/i;

/**
 * Returns the client credentials in the Authorization header (RFC 6749 section 2.3.1). They have priority over
 * credentials in the parameters.
 */
function basicCredentials({ headers }: Request): { id: string; secret: string } | undefined {
  const [, encoded] = BASIC.exec(headers.authorization ?? '') ?? [];
  const [id = '', ...secret] = Buffer.from(encoded ?? '', 'base64')
    .toString()
    .split(':');
  return encoded === undefined ? undefined : { id, secret: secret.join(':') };
}

const presented = ({ accessToken, refreshToken }: IssuedTokens): object => ({
  access_token: accessToken,
  expires_in: ACCESS_SECONDS,
  token_type: 'bearer',
  scope: null,
  refresh_token: refreshToken,
});
