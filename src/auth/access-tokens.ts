import { createHash, createSecretKey, randomUUID } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { LRUCache } from 'lru-cache';

import { Clock } from '../platform/common/clock.js';
import { Config } from '../platform/config/config.js';

/**
 * The user that an access token was issued to. A sign-out raises the user's token version, so tokens with an earlier
 * version are rejected.
 */
export interface TokenSubject {
  readonly userId: string;
  readonly tokenVersion: number;
}

/** The claims of an access token, after verification. */
interface TokenClaims {
  readonly subject: TokenSubject;
  /** The time at which the token expires, in Unix seconds. */
  readonly expiresAt: number;
}

interface ClaimLimits {
  readonly nowSeconds: number;
  /**
   * The maximum lifetime of a token. A token with a longer lifetime is rejected: it was issued
   * before the operator lowered this setting.
   */
  readonly ttlSeconds: number;
}

/** The maximum difference between the clocks of two instances of the service, in seconds. */
const CLOCK_SKEW_SECONDS = 30;
const USER_ID = /^[1-9][0-9]{0,18}$/;
/**
 * The largest values that the database columns can store. Larger values are rejected here, because
 * one statement looks up many callers and would fail for all of them.
 */
const MAX_USER_ID = 2n ** 63n - 1n;
const MAX_TOKEN_VERSION = 2 ** 31 - 1;

const isNumber = (value: unknown): value is number => typeof value === 'number';
const isUserId = (value: unknown): value is string =>
  typeof value === 'string' && USER_ID.test(value) && BigInt(value) <= MAX_USER_ID;
const isTokenVersion = (value: unknown): value is number =>
  isNumber(value) && Number.isInteger(value) && value >= 0 && value <= MAX_TOKEN_VERSION;
const isAccessToken = (typ: unknown, aud: unknown): boolean =>
  typ === 'at' && typeof aud === 'string';

/**
 * Reads the claims of a token whose signature, issuer and audience are verified. Returns undefined
 * for some tokens that jsonwebtoken accepts, such as a token without `exp` or with several
 * audiences.
 */
export function readClaims(payload: object, limits: ClaimLimits): TokenClaims | undefined {
  const { sub, aud, typ, epoch, iat, exp }: Partial<Record<string, unknown>> = { ...payload };
  if (!isAccessToken(typ, aud) || !isUserId(sub) || !isTokenVersion(epoch) || !isNumber(exp)) {
    return undefined;
  }
  const isIssued = isNumber(iat) && iat <= limits.nowSeconds + CLOCK_SKEW_SECONDS;
  return isIssued && exp - iat <= limits.ttlSeconds
    ? { subject: { userId: sub, tokenVersion: epoch }, expiresAt: exp }
    : undefined;
}

const ISSUER = 'satchel';
const AUDIENCE = 'satchel';
const ALGORITHM = 'HS256';
const MAX_LENGTH = 2048;
/** The maximum number of verified tokens in the cache. */
const REMEMBERED = 10_000;

/** Signs and verifies access tokens in the JWT format (RFC 7519). docs/decisions/0011 lists the claims. */
@Injectable()
export class AccessTokens {
  /**
   * Signs tokens with the first configured secret. Tokens are valid if they were signed with any
   * configured secret.
   */
  private readonly signer: JwtService;
  private readonly verifiers: ReadonlyMap<string, JwtService>;

  /**
   * The cached claims of tokens with a valid signature. Each request still checks in the database
   * that the user has not been signed out.
   */
  private readonly verified = new LRUCache<string, TokenClaims>({ max: REMEMBERED });

  constructor(
    private readonly clock: Clock,
    private readonly config: Config,
  ) {
    this.signer = signerWith(config.jwtSecrets[0]);
    this.verifiers = new Map(
      config.jwtSecrets.map((secret) => [keyId(secret), signerWith(secret)]),
    );
  }

  sign({ userId, tokenVersion }: TokenSubject): string {
    const issuedAt = this.clock.seconds();
    const [secret] = this.config.jwtSecrets;
    const claims = {
      typ: 'at',
      epoch: tokenVersion,
      iat: issuedAt,
      exp: issuedAt + this.config.accessTokenTtlSeconds,
    };
    return this.signer.sign(claims, {
      keyid: keyId(secret),
      algorithm: ALGORITHM,
      subject: userId,
      issuer: ISSUER,
      audience: AUDIENCE,
      jwtid: randomUUID(),
    });
  }

  /**
   * Returns the user of an access token. Returns undefined if the token has expired, or was not issued by this service
   * as an access token.
   */
  verify(token: string): TokenSubject | undefined {
    const claims = this.verified.get(token) ?? this.read(token);
    this.verified.set(token, claims);
    return claims !== undefined && this.clock.seconds() < claims.expiresAt
      ? claims.subject
      : undefined;
  }

  private read(token: string): TokenClaims | undefined {
    const jwt = token.length <= MAX_LENGTH ? this.verifiers.get(keyIdOf(token)) : undefined;
    if (jwt === undefined) {
      return undefined;
    }
    try {
      const payload = jwt.verify<object>(token, {
        algorithms: [ALGORITHM],
        issuer: ISSUER,
        audience: AUDIENCE,
        clockTimestamp: this.clock.seconds(),
      });
      return readClaims(payload, {
        nowSeconds: this.clock.seconds(),
        ttlSeconds: this.config.accessTokenTtlSeconds,
      });
    } catch {
      return undefined;
    }
  }
}

/**
 * Passes the secret as a key object. If the secret were a string, jsonwebtoken would try to parse it as a public key
 * for each token.
 */
const signerWith = (secret: string): JwtService =>
  new JwtService({ secret: createSecretKey(Buffer.from(secret)) });

const keyId = (secret: string): string =>
  createHash('sha256').update(`kid:${secret}`).digest('hex').slice(0, 8);

function keyIdOf(token: string): string {
  try {
    const header: unknown = JSON.parse(
      Buffer.from(token.split('.')[0] ?? '', 'base64url').toString(),
    );
    const hasKeyId = typeof header === 'object' && header !== null && 'kid' in header;
    return hasKeyId && typeof header.kid === 'string' ? header.kid : '';
  } catch {
    return '';
  }
}
