import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';

import { findCallingKey } from '../../consumers/calling-key.js';
import { ConsumerKeysService } from '../../consumers/consumer-keys.service.js';
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
    const stored = await findCallingKey(request, this.keys);
    if (stored === null) {
      throw new ApplicationRefusedError();
    }
    request.consumerKeyId = stored.id;
    return true;
  }
}
