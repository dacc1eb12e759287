import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { Strategy } from 'passport-custom';

import { AuthenticationService } from '../authentication.service.js';
import type { User } from '../entities/user.entity.js';
import { originOf } from '../session/device.js';

/**
 * The format of an Authorization header with an access token (RFC 6750 section 2.1). The name of the scheme is
 * case-insensitive (RFC 9110 section 11.1).
 */
const BEARER = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

/** Authenticates POST /login by an access token in the Authorization header. */
@Injectable()
export class BearerStrategy extends PassportStrategy(Strategy, 'bearer') {
  constructor(private readonly authentication: AuthenticationService) {
    super();
  }

  async validate(request: Request): Promise<User | false> {
    const token = BEARER.exec(request.headers.authorization ?? '')?.[1];
    const user = token === undefined ? undefined : await this.authentication.byAccessToken(token);
    return user === undefined ? false : Object.assign(user, { origin: originOf(request) });
  }
}
