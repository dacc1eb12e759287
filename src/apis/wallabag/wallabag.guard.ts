import {
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';

import {
  PermissionMissingError,
  UndeclaredRouteError,
} from '../../auth/consumers/consumers.errors.js';
import { GrantRepository } from '../../auth/consumers/grant.repository.js';
import type { Permission } from '../../auth/consumers/permission.js';
import { textOf } from '../../platform/common/request-fields.js';
import { CallLimits } from '../../platform/throttling/call-limits.js';
import {
  type WallabagCallerRow,
  WallabagTokenRepository,
} from './tokens/wallabag-token.repository.js';
import { BearerRefusedError } from './wire/wallabag-answers.js';

/** The properties of the calling user that responses contain. */
export interface WallabagUser {
  /** The id of the user as a number, because clients do not accept a string. */
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly createdAt: Date;
}

declare module 'express' {
  interface Request {
    /** The user of the access token. `WallabagGuard` sets this property. */
    wallabagUser?: WallabagUser;
  }
}

/** Declares the permission that a client needs for a route. */
export const WallabagPermission = Reflector.createDecorator<Permission>();

const BEARER = /^bearer +(\S+)$/i;

/**
 * Returns the access token of a request. If the Authorization header and a parameter both contain a token, uses the
 * token in the header. Such a request is accepted, because it is a mistake of the client and not an attack.
 */
const tokenOf = ({ headers, body }: Request<unknown, unknown, unknown>): string =>
  BEARER.exec(headers.authorization ?? '')?.[1] ?? textOf(body, 'access_token');

/**
 * Accepts a call if its access token is valid and its client has the permission of the route. Counts the call, and
 * rejects calls over the limit of the user or the client.
 */
@Injectable()
export class WallabagGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly tokens: WallabagTokenRepository,
    private readonly grants: GrantRepository,
    private readonly limits: CallLimits,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const needed = this.reflector.get<Permission | undefined>(
      WallabagPermission.KEY,
      context.getHandler(),
    );
    if (needed === undefined) {
      throw new UndeclaredRouteError();
    }
    const request = context.switchToHttp().getRequest<Request>();
    const caller = await this.callerOf(tokenOf(request));
    if (!caller.permissions.includes(needed)) {
      throw new PermissionMissingError(needed);
    }
    await this.limits.countSyncCall(caller.user_id, caller.id);
    if (caller.grant_to_touch !== null) {
      await this.grants.touch(caller.grant_to_touch);
    }
    admit(request, caller);
    return true;
  }

  private async callerOf(token: string): Promise<WallabagCallerRow> {
    if (token === '') {
      throw new BearerRefusedError('access_denied', 'OAuth2 authentication required');
    }
    const caller = await this.tokens.findCaller(token);
    if (caller === undefined) {
      throw new BearerRefusedError('invalid_grant', 'The access token provided is invalid.');
    }
    if (caller.is_expired) {
      throw new BearerRefusedError('invalid_grant', 'The access token provided has expired.');
    }
    return caller;
  }
}

function admit(request: Request, caller: WallabagCallerRow): void {
  const { name, email, created_at: createdAt } = caller;
  request.principal = {
    consumerKeyId: caller.id,
    dialect: caller.dialect,
    userId: caller.user_id,
    pageSize: { maxCount: caller.maxCount, defaultCount: caller.defaultCount },
    list: caller,
  };
  request.wallabagUser = { id: Number(caller.user_id), name, email, createdAt };
}

/** Passes the user of the access token to a parameter of the handler. */
export const CurrentWallabagUser = createParamDecorator(
  (_: unknown, context: ExecutionContext) =>
    context.switchToHttp().getRequest<Request>().wallabagUser,
);
