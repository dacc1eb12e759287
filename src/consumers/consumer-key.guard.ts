import {
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
} from '@nestjs/common';
import type { Request } from 'express';

import { findCallingKey } from './calling-key.js';
import { ConsumerKeysService } from './consumer-keys.service.js';
import { InvalidConsumerKeyError } from './consumers.errors.js';
import type { Dialect } from './dialect.js';

/** A consumer that calls for nobody. */
export interface Consumer {
  readonly dialect: Dialect;
}

declare module 'express' {
  interface Request {
    /** Set by the consumer key guard. */
    consumer?: Consumer;
  }
}

/** Lets a call pass that has the key of an enabled application, whatever its permissions; it counts for nobody. */
@Injectable()
export class ConsumerKeyGuard implements CanActivate {
  constructor(private readonly keys: ConsumerKeysService) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const stored = await findCallingKey(request, this.keys);
    if (stored === null) {
      throw new InvalidConsumerKeyError();
    }
    request.consumer = { dialect: stored.dialect };
    return true;
  }
}

/** Hands a handler the consumer that the consumer key guard has found. */
export const CallingConsumer = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<Request>().consumer,
);
