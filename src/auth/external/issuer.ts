import { Injectable, Logger } from '@nestjs/common';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  AuthorizationResponseError,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  calculatePKCECodeChallenge,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  discovery,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  ResponseBodyError,
} from 'openid-client';

import { Clock } from '../../common/clock.js';
import { addressIn } from '../../common/http/own-address.js';
import { Config } from '../../config/config.js';
import type { IssuerSettings } from '../../config/login-settings.js';
import { IssuerUnavailableError, LoginRefusedError } from '../auth.errors.js';
import { type IssuerClaims, lacksEmail } from './issuer-claims.js';

const CALLBACK_PATH = '/auth/oidc/callback';
/** Of a request to the issuer; a person waits for it. */
const TIMEOUT_SECONDS = 4;
/** A login page does not wait for an issuer that has just not answered. */
const RETRY_AFTER_MS = 5000;

/** What only the browser that began a login knows (RFC 7636, RFC 6749 section 10.12, OpenID Connect Core 3.1.2.1). */
export interface IssuerSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** The OpenID Connect issuer of the configuration, whose metadata is read when it is needed first (docs/decisions/0066). */
@Injectable()
export class Issuer {
  private readonly logger = new Logger(Issuer.name);
  private discovered: Promise<Configuration> | undefined;
  private failedAtMs = -Infinity;

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** Undefined where there is none. */
  get name(): string | undefined {
    return this.config.issuer?.name;
  }

  async isReachable(): Promise<boolean> {
    return this.configuration().then(
      () => true,
      () => false,
    );
  }

  /** Where the browser begins a login, and what it must know at its end. Throws IssuerUnavailableError. */
  async begin(): Promise<{ url: URL; secrets: IssuerSecrets }> {
    const configuration = await this.configuration();
    const secrets = {
      ...{ state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() },
    };
    const url = buildAuthorizationUrl(configuration, {
      redirect_uri: this.callbackUrl().href,
      scope: 'openid email profile',
      code_challenge: await calculatePKCECodeChallenge(secrets.verifier),
      code_challenge_method: 'S256',
      state: secrets.state,
      nonce: secrets.nonce,
    });
    return { url, secrets };
  }

  /** Who has logged in, from the query of the callback. Throws LoginRefusedError, IssuerUnavailableError. */
  async finish(query: string, secrets: IssuerSecrets): Promise<IssuerClaims> {
    const configuration = await this.configuration();
    const url = this.callbackUrl();
    url.search = query;
    try {
      return await this.claimsOf(configuration, url, secrets);
    } catch (error) {
      throw this.refusalOf(error);
    }
  }

  /** Where the browser ends the session at the issuer; undefined where the issuer has no page for it. */
  async logoutUrl(): Promise<URL | undefined> {
    const configuration = await this.configuration();
    return configuration.serverMetadata().end_session_endpoint === undefined
      ? undefined
      : buildEndSessionUrl(configuration, {
          post_logout_redirect_uri: this.ownUrl('/auth/login').href,
        });
  }

  private async claimsOf(
    configuration: Configuration,
    url: URL,
    { state, nonce, verifier }: IssuerSecrets,
  ): Promise<IssuerClaims> {
    const tokens = await authorizationCodeGrant(configuration, url, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (claims === undefined) {
      throw new LoginRefusedError(this.sentence('has not said who logged in'));
    }
    const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined;
    return lacksEmail(claims) && hasUserInfo
      ? { ...claims, ...(await fetchUserInfo(configuration, tokens.access_token, claims.sub)) }
      : { ...claims };
  }

  /** One attempt at a time; after one that failed the next but five seconds later. */
  private async configuration(): Promise<Configuration> {
    const { issuer } = this.config;
    const nowMs = this.clock.now().getTime();
    if (issuer === undefined) {
      throw new LoginRefusedError('There is no issuer to log in with.');
    }
    if (this.discovered === undefined && nowMs - this.failedAtMs < RETRY_AFTER_MS) {
      throw new IssuerUnavailableError(issuer.name);
    }
    this.discovered ??= discover(issuer);
    try {
      return await this.discovered;
    } catch (error) {
      this.discovered = undefined;
      this.failedAtMs = nowMs;
      this.logger.warn(`the issuer ${issuer.address.host} cannot be used: ${reasonOf(error)}`);
      throw new IssuerUnavailableError(issuer.name);
    }
  }

  /** What an answer says of itself is not shown: anyone can make an address with it. */
  private refusalOf(error: unknown): Error {
    if (error instanceof LoginRefusedError) {
      return error;
    }
    this.logger.warn(`a login with the issuer has failed: ${reasonOf(error)}`);
    if (error instanceof AuthorizationResponseError && error.error === 'access_denied') {
      return new LoginRefusedError(this.sentence('has not let you in'));
    }
    return isOutage(error)
      ? new IssuerUnavailableError(this.name ?? '')
      : new LoginRefusedError('The login is not valid, or was finished before: start again.');
  }

  private sentence(rest: string): string {
    return `${this.name ?? ''} ${rest}.`;
  }

  private callbackUrl(): URL {
    return this.ownUrl(CALLBACK_PATH);
  }

  private ownUrl(path: string): URL {
    const { publicUrl } = this.config;
    return new URL(`${publicUrl === undefined ? '' : addressIn(publicUrl)}${path}`);
  }
}

function discover({ address, clientId, clientSecret }: IssuerSettings): Promise<Configuration> {
  const isPlain = address.protocol === 'http:';
  return discovery(address, clientId, clientSecret, eitherWay(clientSecret), {
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- for an issuer on this machine, which the configuration allows
    execute: isPlain ? [allowInsecureRequests] : [],
    timeout: TIMEOUT_SECONDS,
  });
}

/** Basic is what issuers expect that do not say (OpenID Connect Discovery 1.0, section 3). */
const eitherWay =
  (secret: string): ClientAuth =>
  (server, client, body, headers) => {
    const { token_endpoint_auth_methods_supported: methods } = server;
    const isBasic = methods?.includes('client_secret_basic') ?? true;
    (isBasic ? ClientSecretBasic(secret) : ClientSecretPost(secret))(server, client, body, headers);
  };

/** The network, or the issuer itself, rather than what the browser brought. */
const isOutage = (error: unknown): boolean =>
  codesOf(error).some((code) => OUTAGES.has(code)) ||
  (error instanceof ResponseBodyError && error.status >= 500);

const OUTAGES = new Set([
  ...['OAUTH_TIMEOUT', 'OAUTH_RESPONSE_IS_NOT_JSON', 'OAUTH_RESPONSE_IS_NOT_CONFORM'],
  ...['OAUTH_PARSE_ERROR', 'OAUTH_ABORT'],
  ...['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_SOCKET'],
]);

/** Of the error and of what caused it. */
function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) {
    return [];
  }
  const code = 'code' in error && typeof error.code === 'string' ? [error.code] : [];
  return [...code, ...codesOf(error.cause)];
}

/** Without the answer itself, which may hold a code or a token. */
const reasonOf = (error: unknown): string =>
  error instanceof Error ? [error.message, ...codesOf(error)].join(' ').slice(0, 200) : 'unknown';
