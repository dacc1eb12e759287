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

/** Declares a route without a token. `path` is relative to the path of the controller. The status is 200, never 201. */
export const OpenWallabagRoute = (method: RequestMethod, path = ''): MethodDecorator =>
  applyDecorators(Public(), RequestMapping({ method, path }), HttpCode(200));

/**
 * Declares a route that needs an access token of a client with the permission. It needs no consumer key. `path` omits
 * `.json`, which clients may add (wire/wallabag-requests.ts). Calls count for SYNC_CALL_LIMIT_PER_USER.
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
