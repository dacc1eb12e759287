import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { Strategy } from 'passport-custom';

import { Config } from '../../config/config.js';
import type { User } from '../entities/user.entity.js';
import { Identities } from '../identities.js';
import { subjectOf } from '../session/session-subject.js';
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
    const subject = subjectOf(request.session);
    if (subject === undefined || !isFromOwnSite(request, this.config.publicUrl)) {
      return false;
    }
    return (await this.identities.bySubject(subject)) ?? false;
  }
}
