import {
  applyDecorators,
  HttpCode,
  RequestMapping,
  type RequestMethod,
  UseGuards,
} from '@nestjs/common';

import type { Permission } from '../../auth/consumers/permission.js';
import { Public } from '../../platform/http/public.js';
import { WallabagGuard, WallabagPermission } from './wallabag.guard.js';

/** A route that needs no token: a method, and a path below that of the controller. The status is 200, never 201. */
export const OpenWallabagRoute = (method: RequestMethod, path = ''): MethodDecorator =>
  applyDecorators(Public(), RequestMapping({ method, path }), HttpCode(200));

/**
 * A route that needs an access token of a client with the permission. Paths are written without `.json`, with which
 * clients may call them too (wire/wallabag-requests.ts). It needs no consumer key. Its calls count for SYNC_CALL_LIMIT_PER_USER.
 */
export const WallabagRoute = (
  method: RequestMethod,
  path: string,
  permission: Permission,
): MethodDecorator =>
  applyDecorators(
    OpenWallabagRoute(method, path),
    WallabagPermission(permission),
    UseGuards(WallabagGuard),
  );
