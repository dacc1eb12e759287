import { Injectable } from '@nestjs/common';
import {
  authorizationCodeGrant,
  AuthorizationResponseError,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  calculatePKCECodeChallenge,
  type Configuration,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  type TokenEndpointResponse,
  type TokenEndpointResponseHelpers,
} from 'openid-client';

import { Clock } from '../../platform/common/clock.js';
import { Warnings } from '../../platform/common/warnings.js';
import { Config } from '../../platform/config/config.js';
import { addressIn } from '../../platform/http/own-address.js';
import { IssuerUnavailableError, LoginRefusedError } from '../auth.errors.js';
import { type IssuerClaims, lacksEmail, verificationOf } from './issuer-claims.js';
import { ClientAuthentication, discover } from './issuer-discovery.js';
import { answerIn, isClientRejected, isOutage, reasonOf } from './issuer-errors.js';

type Tokens = TokenEndpointResponse & TokenEndpointResponseHelpers;

/**
 * The key prefix of warnings about failed logins. A warning is logged again only after a login has
 * succeeded in the meantime.
 */
const ERROR_KEY = 'issuer error ';
/**
 * The key prefix of warnings about the issuer's metadata. Each warning is logged once, until the
 * metadata are fetched successfully.
 */
const DISCOVERY_KEY = 'issuer metadata ';
const CALLBACK_PATH = '/auth/oidc/callback';
/**
 * The time after a failed metadata request during which no new request is sent. Meanwhile, login
 * pages show an error immediately.
 */
const RETRY_AFTER_MS = 5000;

/**
 * The random secrets of one login. Only the browser that began the login has them (RFC 7636, RFC
 * 6749 section 10.12, OpenID Connect Core 3.1.2.1).
 */
export interface IssuerSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** The configured OpenID Connect issuer. Its metadata are fetched at the first login (docs/decisions/0066). */
@Injectable()
export class Issuer {
  private discovered: Promise<Configuration> | undefined;
  private failedAtMs = -Infinity;
  private readonly authentication = new ClientAuthentication();

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly warnings: Warnings,
  ) {}

  /** The name of the issuer on the login page. Undefined if no issuer is configured. */
  get name(): string | undefined {
    return this.config.issuer?.name;
  }

  /** True if Satchel accepts email addresses that the issuer does not report as verified. */
  get trustsEmail(): boolean {
    return this.config.issuer?.trustsEmail === true;
  }

  async isReachable(): Promise<boolean> {
    return this.configuration().then(
      () => true,
      () => false,
    );
  }

  /**
   * Returns the issuer's login address for the browser, and the secrets that `finish` needs. If `isRepeated` is true,
   * the issuer must ask for credentials although the person is logged in there (OpenID Connect Core 3.1.2.1).
   * @throws IssuerUnavailableError if the metadata of the issuer cannot be fetched.
   */
  async begin(isRepeated = false): Promise<{ url: URL; secrets: IssuerSecrets }> {
    const configuration = await this.configuration();
    const secrets = {
      state: randomState(),
      nonce: randomNonce(),
      verifier: randomPKCECodeVerifier(),
    };
    const url = buildAuthorizationUrl(configuration, {
      redirect_uri: this.callbackUrl().href,
      scope: 'openid email profile',
      code_challenge: await calculatePKCECodeChallenge(secrets.verifier),
      code_challenge_method: 'S256',
      state: secrets.state,
      nonce: secrets.nonce,
      // With a max_age, the issuer reports when the person entered credentials.
      max_age: isRepeated ? '0' : '31536000',
      ...(isRepeated && { prompt: 'login' }),
    });
    return { url, secrets };
  }

  /** Returns true if the issuer declares that it reports when people last entered credentials. */
  async reportsAuthTime(): Promise<boolean> {
    const { claims_supported: claims } = (await this.configuration()).serverMetadata();
    return claims?.includes('auth_time') === true;
  }

  /**
   * Completes a login with the query string that the issuer added to the callback address. Returns the claims about the
   * person.
   * @throws LoginRefusedError if the login is invalid.
   * @throws IssuerUnavailableError if the issuer fails.
   */
  async finish(query: string, secrets: IssuerSecrets): Promise<IssuerClaims> {
    const configuration = await this.configuration();
    const url = this.callbackUrl();
    url.search = query;
    try {
      const claims = await this.claimsOf(configuration, url, secrets);
      this.warnings.forget(ERROR_KEY);
      this.warnOfEmail(claims);
      return claims;
    } catch (error) {
      throw this.refusalOf(error);
    }
  }

  /**
   * Returns the address at which the browser logs out of the issuer. Returns undefined if the
   * issuer has no such address.
   */
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
    secrets: IssuerSecrets,
  ): Promise<IssuerClaims> {
    const tokens = await this.tokens(configuration, url, secrets);
    const claims = tokens.claims();
    if (claims === undefined) {
      throw new LoginRefusedError(this.sentence('has not said who logged in'));
    }
    const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined;
    return lacksEmail(claims) && hasUserInfo
      ? { ...claims, ...(await fetchUserInfo(configuration, tokens.access_token, claims.sub)) }
      : { ...claims };
  }

  /**
   * Exchanges the code for tokens. If the issuer rejects the authentication, tries the other
   * authentication method, and uses it from then on if it works.
   */
  private async tokens(
    configuration: Configuration,
    url: URL,
    { state, nonce, verifier }: IssuerSecrets,
  ): Promise<Tokens> {
    const exchange = (): Promise<Tokens> =>
      authorizationCodeGrant(configuration, url, {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      });
    // Remembers the method of this login, because a parallel login may change `isSwitched`.
    const wasSwitched = this.authentication.isSwitched;
    try {
      return await exchange();
    } catch (error) {
      if (!isClientRejected(error)) {
        throw error;
      }
      this.authentication.isSwitched = !wasSwitched;
      return exchange().catch(() => {
        this.authentication.isSwitched = wasSwitched;
        throw error;
      });
    }
  }

  private warnOfEmail(claims: IssuerClaims): void {
    const { issuer } = this.config;
    const verification = verificationOf(claims);
    if (issuer !== undefined && !issuer.trustsEmail && verification !== 'verified') {
      this.warnings.once(
        `email ${verification}`,
        `OIDC_TRUST_EMAIL: the issuer ${issuer.address.host} sends an email address with email_verified ${verification}: first logins are refused. Have the issuer verify addresses, or set OIDC_TRUST_EMAIL=on if you trust them`,
      );
    }
  }

  /**
   * Returns the metadata of the issuer. Parallel calls share one request. For five seconds after a
   * failure, calls fail immediately.
   */
  private async configuration(): Promise<Configuration> {
    const { issuer } = this.config;
    const nowMs = this.clock.now().getTime();
    if (issuer === undefined) {
      throw new LoginRefusedError('There is no issuer to log in with.');
    }
    if (this.discovered === undefined && nowMs - this.failedAtMs < RETRY_AFTER_MS) {
      throw new IssuerUnavailableError(issuer.name);
    }
    this.discovered ??= discover(issuer, this.authentication, this.config.fetchProxies);
    try {
      const configuration = await this.discovered;
      this.warnings.forget(DISCOVERY_KEY);
      this.warnOfAddress(issuer.address, configuration.serverMetadata().issuer);
      return configuration;
    } catch (error) {
      this.discovered = undefined;
      this.failedAtMs = nowMs;
      const reason = reasonOf(error);
      this.warnings.once(
        `${DISCOVERY_KEY}${reason}`,
        `OIDC_ISSUER: the issuer ${issuer.address.host} cannot be used: ${reason}`,
      );
      throw new IssuerUnavailableError(issuer.name);
    }
  }

  private warnOfAddress(address: URL, issuer: string): void {
    if (new URL(issuer).href !== address.href) {
      this.warnings.once(
        'issuer address',
        `OIDC_ISSUER: the issuer ${address.host} names itself ${reasonOf(new Error(issuer))}, with another trailing slash: it is accepted; set OIDC_ISSUER to this address`,
      );
    }
  }

  /**
   * Converts an error to the error that the user sees. Its message never contains text from the
   * callback address, because anyone can put text into such an address.
   */
  private refusalOf(error: unknown): Error {
    if (error instanceof LoginRefusedError) {
      return error;
    }
    this.warnOfFailure(error);
    if (error instanceof AuthorizationResponseError && error.error === 'access_denied') {
      return new LoginRefusedError(this.sentence('has not let you in'));
    }
    return isOutage(error)
      ? new IssuerUnavailableError(this.name ?? '')
      : new LoginRefusedError('The login is not valid, or was finished before: start again.');
  }

  private warnOfFailure(error: unknown): void {
    const answer = answerIn(error);
    const host = this.config.issuer?.address.host ?? '';
    if (answer === undefined) {
      const reason = reasonOf(error);
      this.warnings.once(
        `${ERROR_KEY}${reason}`,
        `OIDC_ISSUER: a login with the issuer ${host} has failed: ${reason}`,
      );
    } else if (isClientRejected(error)) {
      this.warnings.once(
        `${ERROR_KEY}${answer.kind}`,
        `OIDC_CLIENT_SECRET: the issuer ${host} rejects OIDC_CLIENT_ID or OIDC_CLIENT_SECRET (${answer.text})`,
      );
    } else {
      this.warnings.once(
        `${ERROR_KEY}${answer.kind}`,
        `OIDC_ISSUER: the issuer ${host} answers a login with an error (${answer.text})`,
      );
    }
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
