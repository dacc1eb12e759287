import {
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
} from '@nestjs/common';
import type { Request } from 'express';

import { textOf } from '../../platform/common/request-fields.js';
import { ConsumerKeysService } from './consumer-keys.service.js';
import { ConsumerKeyMissingError, InvalidConsumerKeyError } from './consumers.errors.js';
import type { ConsumerKey } from './entities/consumer-key.entity.js';

/** The application that makes a call, if the call needs no user. */
export type Consumer = Pick<ConsumerKey, 'id' | 'dialect'>;

declare module 'express' {
  interface Request {
    /** The application that makes the call. The consumer key guard sets this property. */
    consumer?: Consumer;
  }
}

/** The consumer key and the access token of a call (specification of the v3 API, "Authentication"). */
interface Credentials {
  readonly consumerKey: string | undefined;
  readonly accessToken: string | undefined;
}

/**
 * Reads the credentials from the body. If the body lacks a credential, reads the credential from the query string
 * (docs/decisions/0007).
 */
export function credentialsOf({ body, query }: Request<unknown, unknown, unknown>): Credentials {
  const parameter = (name: string): string | undefined =>
    textOf(body, name) || textOf(query, name) || undefined;
  return { consumerKey: parameter('consumer_key'), accessToken: parameter('access_token') };
}

/**
 * Accepts a call with the key of an enabled application, and checks no permissions. Rejects a personal key, because a
 * personal key acts only for its owner.
 */
@Injectable()
export class ConsumerKeyGuard implements CanActivate {
  constructor(private readonly keys: ConsumerKeysService) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const { consumerKey } = credentialsOf(request);
    if (consumerKey === undefined) {
      throw new ConsumerKeyMissingError();
    }
    const stored = await this.keys.findEnabledApplication(consumerKey);
    if (stored === null) {
      throw this.refusal();
    }
    request.consumer = { id: stored.id, dialect: stored.dialect };
    return true;
  }

  /** Returns the error for a key that is unknown, disabled or personal. */
  protected refusal(): Error {
    return new InvalidConsumerKeyError();
  }
}

/** Decorates a parameter of a handler. The parameter gets the application that the consumer key guard has found. */
export const CallingConsumer = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<Request>().consumer,
);
