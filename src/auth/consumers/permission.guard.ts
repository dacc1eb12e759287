import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';

import { IS_PUBLIC } from '../../platform/http/public.js';
import { Callers } from './callers.js';
import { credentialsOf } from './consumer-key.guard.js';
import {
  AccessTokenOfAnotherKeyError,
  ConsumerKeyMissingError,
  InvalidAccessTokenError,
  InvalidConsumerKeyError,
  PermissionMissingError,
  UndeclaredRouteError,
} from './consumers.errors.js';
import { type Permission, RequirePermission } from './permission.js';

/**
 * Checks that the caller has the permissions that the route declares. Rejects all calls to a route
 * that neither declares permissions nor is marked as public.
 */
@Injectable()
export class PermissionGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly callers: Callers,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const declarations = [context.getHandler(), context.getClass()];
    const needed = this.reflector.getAllAndOverride<Permission | readonly Permission[] | undefined>(
      RequirePermission.KEY,
      declarations,
    );
    if (needed !== undefined) {
      await this.admit(context.switchToHttp().getRequest<Request>(), [needed].flat());
      return true;
    }
    if (this.reflector.getAllAndOverride<true | undefined>(IS_PUBLIC, declarations) !== true) {
      throw new UndeclaredRouteError();
    }
    return true;
  }

  /**
   * Accepts a call whose credentials have the needed permissions. Checks the consumer key first, so
   * a call with two invalid credentials gets the error for the consumer key (docs/decisions/0007).
   */
  private async admit(request: Request, needed: readonly Permission[]): Promise<void> {
    const { consumerKey, accessToken } = credentialsOf(request);
    if (consumerKey === undefined) {
      throw new ConsumerKeyMissingError();
    }
    const caller = await this.callers.find(consumerKey, accessToken);
    if (caller === undefined) {
      throw new InvalidConsumerKeyError();
    }
    const { consumer, user, isTokenOfAnother } = caller;
    const missing = needed.find((permission) => !consumer.permissions.includes(permission));
    if (missing !== undefined) {
      throw new PermissionMissingError(missing);
    }
    if (isTokenOfAnother) {
      throw new AccessTokenOfAnotherKeyError();
    }
    if (user === undefined) {
      throw new InvalidAccessTokenError();
    }
    request.principal = {
      consumerKeyId: consumer.id,
      dialect: consumer.dialect,
      pageSize: consumer.pageSize,
      userId: user.id,
      list: user.list,
    };
  }
}
