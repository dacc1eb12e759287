import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { Strategy } from 'passport-custom';

import { Config } from '../../platform/config/config.js';
import type { User } from '../entities/user.entity.js';
import { Sessions } from '../session/sessions.js';

/**
 * Returns false if a page of another website has sent the request, because its session cookie must
 * then be ignored. Browsers send the origin of the page with every POST request (Fetch standard,
 * "Origin" header). Other programs send no origin, so a request without an origin is accepted.
 */
export function isFromOwnSite({ headers, protocol }: Request, publicUrl: URL | undefined): boolean {
  if (headers.origin === undefined) {
    return true;
  }
  const ownOrigin = publicUrl?.origin ?? `${protocol}://${headers.host ?? ''}`;
  return headers.origin === ownOrigin;
}

/** Authenticates POST /login by the encrypted session cookie. */
@Injectable()
export class SessionStrategy extends PassportStrategy(Strategy, 'session') {
  constructor(
    private readonly sessions: Sessions,
    private readonly config: Config,
  ) {
    super();
  }

  async validate(request: Request): Promise<User | false> {
    return isFromOwnSite(request, this.config.publicUrl)
      ? ((await this.sessions.find(request)) ?? false)
      : false;
  }
}
