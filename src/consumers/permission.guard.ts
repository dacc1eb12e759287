import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';

import { Identities } from '../auth/identities.js';
import { IS_PUBLIC } from '../common/http/public.js';
import { ConsumerKeysService } from './consumer-keys.service.js';
import {
  ConsumerKeyMissingError,
  InvalidAccessTokenError,
  InvalidConsumerKeyError,
  PermissionMissingError,
  UndeclaredRouteError,
} from './consumers.errors.js';
import { credentialsOf } from './credentials.js';
import type { ConsumerKey } from './entities/consumer-key.entity.js';
import type { Permission } from './permission.js';
import { RequirePermission } from './require-permission.js';

/** Guards every route of the service: what is not declared is denied. */
@Injectable()
export class PermissionGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly consumerKeys: ConsumerKeysService,
    private readonly identities: Identities,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const declarations = [context.getHandler(), context.getClass()];
    const permission = this.reflector.getAllAndOverride<Permission | undefined>(
      RequirePermission.KEY,
      declarations,
    );
    if (permission !== undefined) {
      await this.admit(context.switchToHttp().getRequest<Request>(), permission);
      return true;
    }
    if (this.reflector.getAllAndOverride<true | undefined>(IS_PUBLIC, declarations) !== true) {
      throw new UndeclaredRouteError();
    }
    return true;
  }

  /** The consumer key is judged before the access token (docs/decisions/0007). */
  private async admit(request: Request, permission: Permission): Promise<void> {
    const { consumerKey, accessToken } = credentialsOf(request);
    const consumer = await this.consumerWith(consumerKey, permission);
    const user =
      accessToken === undefined ? undefined : await this.identities.byAccessToken(accessToken);
    if (user === undefined) {
      throw new InvalidAccessTokenError();
    }
    request.principal = { consumerKeyId: consumer.id, dialect: consumer.dialect, userId: user.id };
  }

  private async consumerWith(
    key: string | undefined,
    permission: Permission,
  ): Promise<ConsumerKey> {
    if (key === undefined) {
      throw new ConsumerKeyMissingError();
    }
    const consumer = await this.consumerKeys.findUsable(key);
    if (consumer === undefined) {
      throw new InvalidConsumerKeyError();
    }
    if (!consumer.permissions.includes(permission)) {
      throw new PermissionMissingError(permission);
    }
    return consumer;
  }
}
