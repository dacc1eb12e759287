import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  HttpCode,
  Injectable,
  type NestInterceptor,
  RequestMapping,
  type RequestMethod,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { map, type Observable } from 'rxjs';

import type { Permission } from '../../auth/consumers/permission.js';
import { Answer } from '../../platform/http/answer.js';
import { Public } from '../../platform/http/public.js';
import { WallabagGuard, WallabagPermission } from './wallabag.guard.js';
import { WallabagAnswer } from './wire/wallabag-answers.js';

/**
 * Wraps the return value of a handler in a `WallabagAnswer`, a response with status 200. If a
 * handler returns another `Answer`, sends this response unchanged.
 */
@Injectable()
class WallabagInterceptor implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler<unknown>): Observable<Answer> {
    return next
      .handle()
      .pipe(map((result) => (result instanceof Answer ? result : new WallabagAnswer(result))));
  }
}

/**
 * Declares a route that needs no access token. `path` is relative to the path of the controller. The handler returns
 * either a response body, which is sent with status 200, or a complete `Answer`.
 */
export const OpenWallabagRoute = (method: RequestMethod, path = ''): MethodDecorator =>
  applyDecorators(
    Public(),
    RequestMapping({ method, path }),
    HttpCode(200),
    UseInterceptors(WallabagInterceptor),
  );

/**
 * Declares a route that needs an access token. The client of the token must have the permission. `path` does not
 * include the suffix `.json`, which clients can append (wire/wallabag-requests.ts). The call limit
 * SYNC_CALL_LIMIT_PER_USER applies to the route.
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
