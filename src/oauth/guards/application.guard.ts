import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';

import { ConsumerKeysService } from '../../consumers/consumer-keys.service.js';
import { ConsumerKeyMissingError } from '../../consumers/consumers.errors.js';
import { credentialsOf } from '../../consumers/credentials.js';
import { ApplicationRefusedError } from '../oauth.errors.js';

declare module 'express' {
  interface Request {
    /** The id of the consumer key; set by the application guard. */
    consumerKeyId?: string;
  }
}

/** Lets a call pass that has the key of an enabled application, before there is a user. */
@Injectable()
export class ApplicationGuard implements CanActivate {
  constructor(private readonly keys: ConsumerKeysService) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const { consumerKey } = credentialsOf(request);
    if (consumerKey === undefined) {
      throw new ConsumerKeyMissingError();
    }
    const stored = await this.keys.findEnabled(consumerKey);
    if (stored === null) {
      throw new ApplicationRefusedError();
    }
    request.consumerKeyId = stored.id;
    return true;
  }
}
