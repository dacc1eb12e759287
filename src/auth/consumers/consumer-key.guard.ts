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

/** The application that makes an API call without a user. */
export type Consumer = Pick<ConsumerKey, 'id' | 'dialect'>;

declare module 'express' {
  interface Request {
    /** The application that makes the call. ConsumerKeyGuard sets this property. */
    consumer?: Consumer;
  }
}

/** The consumer key and the access token of a call (specification of the v3 API, "Authentication"). */
interface Credentials {
  readonly consumerKey: string | undefined;
  readonly accessToken: string | undefined;
}

/**
 * Reads the credentials from the body. A credential that is missing there is read from the query
 * string (docs/decisions/0007).
 */
export function credentialsOf({ body, query }: Request<unknown, unknown, unknown>): Credentials {
  const parameter = (name: string): string | undefined =>
    textOf(body, name) || textOf(query, name) || undefined;
  return { consumerKey: parameter('consumer_key'), accessToken: parameter('access_token') };
}

/**
 * Accepts a call with the key of an enabled application, without a check of its permissions.
 * Rejects a personal key, because a personal key acts only for its owner.
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

/**
 * A parameter decorator for request handlers. It injects the application that ConsumerKeyGuard has
 * found.
 */
export const CallingConsumer = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<Request>().consumer,
);
