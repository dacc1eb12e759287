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

/** An application that calls without a user. */
export type Consumer = Pick<ConsumerKey, 'id' | 'dialect'>;

declare module 'express' {
  interface Request {
    /** The calling application. The consumer key guard sets this property. */
    consumer?: Consumer;
  }
}

/** The consumer key and the access token of a call to the reading-list part (specification, "Authentication"). */
interface Credentials {
  readonly consumerKey: string | undefined;
  readonly accessToken: string | undefined;
}

/** Reads the credentials from the body, or else from the query (docs/decisions/0007). Blank text counts as missing. */
export function credentialsOf({ body, query }: Request<unknown, unknown, unknown>): Credentials {
  const parameter = (name: string): string | undefined =>
    textOf(body, name) || textOf(query, name) || undefined;
  return { consumerKey: parameter('consumer_key'), accessToken: parameter('access_token') };
}

/**
 * Accepts a call with the key of an enabled application, whatever the permissions of the application. Does not count
 * the call for any user. Rejects a personal key, because such a key acts only for its owner.
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

/** Injects the consumer, which the consumer key guard has found, into the handler. */
export const CallingConsumer = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<Request>().consumer,
);
