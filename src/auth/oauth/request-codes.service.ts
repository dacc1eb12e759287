import { Injectable } from '@nestjs/common';

import { Config } from '../../platform/config/config.js';
import { Database } from '../../platform/database/database.js';
import { Every } from '../../platform/jobs/every.js';
import { GrantRepository } from '../consumers/grant.repository.js';
import { isOpaqueToken } from '../opaque-token.js';
import { UserRepository } from '../user.repository.js';
import {
  AuthorizationRequestRepository,
  type FoundRequest,
  type NewRequest,
} from './authorization-request.repository.js';
import {
  CodeNotAuthorizedError,
  CodeNotFoundError,
  CodeUsedError,
  InvalidRedirectUriError,
} from './oauth.errors.js';
import { isOfRequest, isRedirectUri } from './redirect-uri.js';

const SWEEP_EVERY_MS = 60 * 60 * 1000;

/** The parameters with which an application exchanges a request code for an access token. */
interface Exchange {
  readonly consumerKeyId: string;
  readonly code: string;
  readonly redirectUri: string | undefined;
}

/** A new access token for an application, and the name of the user who granted it. */
export interface GrantedAccess {
  readonly accessToken: string;
  readonly username: string;
  /** The parameter `state` that the application sent with its request for access. */
  readonly state: string | undefined;
}

/** Issues request codes to applications. Exchanges a request code for an access token after the user has agreed. */
@Injectable()
export class RequestCodesService {
  constructor(
    private readonly database: Database,
    private readonly requests: AuthorizationRequestRepository,
    private readonly config: Config,
  ) {}

  /**
   * Stores an application's request for access and returns the request code.
   * @throws InvalidRedirectUriError if the redirect URI is not allowed.
   */
  async issue(request: Omit<NewRequest, 'ttlSeconds'>): Promise<string> {
    if (!isRedirectUri(request.redirectUri)) {
      throw new InvalidRedirectUriError();
    }
    return this.requests.issue({ ...request, ttlSeconds: this.config.requestCodeTtlSeconds });
  }

  /** Exchanges a request code for an access token. Each code works once. docs/api/oauth.md lists the errors. */
  exchange(exchange: Exchange): Promise<GrantedAccess> {
    return this.database.transaction(async (manager) => {
      const requests = AuthorizationRequestRepository.in(manager);
      const { code, consumerKeyId } = exchange;
      const found = isOpaqueToken(code) ? await requests.findByCode(code) : undefined;
      const { userId, state } = agreedRequest(exchange, found);
      const user = await UserRepository.in(manager).lock(userId);
      if (user?.disabledAt !== null) {
        throw new CodeNotAuthorizedError();
      }
      if (!(await requests.use(code))) {
        throw new CodeUsedError();
      }
      return {
        accessToken: await GrantRepository.in(manager).issue(user.id, consumerKeyId),
        username: user.email,
        state: state ?? undefined,
      };
    });
  }

  @Every(SWEEP_EVERY_MS)
  sweep(): Promise<void> {
    return this.requests.deleteOld();
  }
}

interface AgreedRequest {
  readonly userId: string;
  readonly state: string | null;
}

/**
 * Returns the request for access if the application may exchange its code. Otherwise, throws an
 * error with the reason, for example that the user has not agreed.
 */
function agreedRequest(exchange: Exchange, found: FoundRequest | undefined): AgreedRequest {
  const isOfCaller = found?.consumerKeyId === exchange.consumerKeyId;
  if (!isOfCaller || (found.isExpired && !found.isUsed)) {
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
