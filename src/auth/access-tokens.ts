import { createHash, randomUUID } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';

import { Clock } from '../common/clock.js';
import { Config } from '../config/config.js';
import { readClaims, type TokenSubject } from './access-token-claims.js';

const ISSUER = 'satchel';
const AUDIENCE = 'satchel';
const ALGORITHM = 'HS256';
const MAX_LENGTH = 2048;

/** Signs and verifies the JWT access tokens (RFC 7519; claims: docs/decisions/0011). */
@Injectable()
export class AccessTokens {
  private readonly keys: ReadonlyMap<string, string>;

  constructor(
    private readonly jwt: JwtService,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {
    this.keys = new Map(config.jwtSecrets.map((secret) => [keyId(secret), secret]));
  }

  sign({ userId, sessionEpoch }: TokenSubject): string {
    const issuedAt = this.clock.seconds();
    const [secret] = this.config.jwtSecrets;
    const claims = {
      typ: 'at',
      epoch: sessionEpoch,
      iat: issuedAt,
      exp: issuedAt + this.config.accessTokenTtlSeconds,
    };
    return this.jwt.sign(claims, {
      secret,
      keyid: keyId(secret),
      algorithm: ALGORITHM,
      subject: userId,
      issuer: ISSUER,
      audience: AUDIENCE,
      jwtid: randomUUID(),
    });
  }

  /** Undefined for whatever this service did not sign for this purpose, or that has expired. */
  verify(token: string): TokenSubject | undefined {
    const secret = token.length <= MAX_LENGTH ? this.keys.get(keyIdOf(token)) : undefined;
    if (secret === undefined) {
      return undefined;
    }
    try {
      const payload = this.jwt.verify<object>(token, {
        secret,
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
