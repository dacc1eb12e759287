import { Injectable } from '@nestjs/common';

import { UserStore } from '../auth/user.store.js';
import { Config } from '../config/config.js';
import { GrantStore } from '../consumers/grant.store.js';
import { isOpaqueToken } from '../consumers/opaque-token.js';
import { Database } from '../database/database.js';
import { standingOf } from './authorization.js';
import {
  AuthorizationRequestStore,
  type FoundRequest,
  type NewRequest,
} from './authorization-request.store.js';
import {
  CodeNotAuthorizedError,
  CodeNotFoundError,
  CodeUsedError,
  InvalidRedirectUriError,
} from './oauth.errors.js';
import { isOfRequest, isRedirectUri } from './redirect-uri.js';

/** What an application exchanges for an access token. */
export interface Exchange {
  readonly consumerKeyId: string;
  readonly code: string;
  readonly redirectUri: string | undefined;
}

/** An access token, and whose it is. */
export interface GrantedAccess {
  readonly accessToken: string;
  readonly username: string;
  /** As the application has given it with its request. */
  readonly state: string | undefined;
}

/** Hands out the codes that applications take to a person, and exchanges them when the person has agreed. */
@Injectable()
export class RequestCodesService {
  constructor(
    private readonly database: Database,
    private readonly config: Config,
  ) {}

  /** A new code. Throws InvalidRedirectUriError. */
  issue(request: Omit<NewRequest, 'ttlSeconds'>): Promise<string> {
    if (!isRedirectUri(request.redirectUri)) {
      throw new InvalidRedirectUriError();
    }
    const ttlSeconds = this.config.requestCodeTtlSeconds;
    return this.database.write((manager) =>
      new AuthorizationRequestStore(manager).insert({ ...request, ttlSeconds }),
    );
  }

  /** Exchanges a code, once. Throws what docs/api/oauth.md lists. */
  exchange(exchange: Exchange): Promise<GrantedAccess> {
    return this.database.write(async (manager) => {
      const requests = new AuthorizationRequestStore(manager);
      const { userId, state } = agreedRequest(exchange, await findRequest(requests, exchange.code));
      const user = await new UserStore(manager).lock(userId);
      if (user?.disabledAt !== null) {
        throw new CodeNotAuthorizedError();
      }
      if (!(await requests.use(exchange.code))) {
        throw new CodeUsedError();
      }
      return {
        accessToken: await new GrantStore(manager).issue(user.id, exchange.consumerKeyId),
        username: user.email,
        state: state ?? undefined,
      };
    });
  }
}

interface AgreedRequest {
  readonly userId: string;
  readonly state: string | null;
}

const findRequest = async (
  requests: AuthorizationRequestStore,
  code: string,
): Promise<FoundRequest | undefined> => (isOpaqueToken(code) ? requests.find(code) : undefined);

/** The request if the application may ask for it and its user has agreed. */
function agreedRequest(exchange: Exchange, found: FoundRequest | undefined): AgreedRequest {
  if (found?.consumerKeyId !== exchange.consumerKeyId || standingOf(found) === 'expired') {
    throw new CodeNotFoundError();
  }
  if (!isOfRequest(exchange.redirectUri ?? found.redirectUri, found.redirectUri)) {
    throw new InvalidRedirectUriError();
  }
  if (found.isUsed) {
    throw new CodeUsedError();
  }
  return agreed(found);
}

function agreed({ decision, userId, state }: FoundRequest): AgreedRequest {
  if (decision !== 'authorized' || userId === null) {
    throw new CodeNotAuthorizedError();
  }
  return { userId, state };
}
