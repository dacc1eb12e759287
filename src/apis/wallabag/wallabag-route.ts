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

/** Makes a `WallabagAnswer` of the value that a handler returns. An `Answer` of a handler is sent unchanged. */
@Injectable()
class WallabagInterceptor implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler<unknown>): Observable<Answer> {
    return next
      .handle()
      .pipe(map((result) => (result instanceof Answer ? result : new WallabagAnswer(result))));
  }
}

/**
 * Declares a route without a token. `path` is relative to the path of the controller. The handler returns the body of
 * the answer, or a complete `Answer`. The status of a body is 200, never 201.
 */
export const OpenWallabagRoute = (method: RequestMethod, path = ''): MethodDecorator =>
  applyDecorators(
    Public(),
    RequestMapping({ method, path }),
    HttpCode(200),
    UseInterceptors(WallabagInterceptor),
  );

/**
 * Declares a route that needs an access token of a client with the permission. `path` does not include `.json`, which
 * clients may append (wire/wallabag-requests.ts). Calls count against SYNC_CALL_LIMIT_PER_USER.
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
