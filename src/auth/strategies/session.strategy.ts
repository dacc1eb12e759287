import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { Strategy } from 'passport-custom';

import { Config } from '../../config/config.js';
import type { User } from '../entities/user.entity.js';
import { Identities } from '../identities.js';
import { isFromOwnSite } from './own-site.js';

/** Proof 2 of POST /login: the encrypted session cookie. */
@Injectable()
export class SessionStrategy extends PassportStrategy(Strategy, 'session') {
  constructor(
    private readonly identities: Identities,
    private readonly config: Config,
  ) {
    super();
  }

  async validate(request: Request): Promise<User | false> {
    const { authenticated, user_id: userId, epoch } = request.session;
    const isSignedIn = authenticated === true && userId !== undefined && epoch !== undefined;
    if (!isSignedIn || !isFromOwnSite(request, this.config.publicUrl)) {
      return false;
    }
    return (await this.identities.bySubject({ userId, sessionEpoch: epoch })) ?? false;
  }
}
