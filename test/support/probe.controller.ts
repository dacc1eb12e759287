import { All, Controller } from '@nestjs/common';
import type { Express } from 'express';

import { Permission, RequirePermission } from '../../src/auth/consumers/permission.js';
import { CurrentPrincipal, type Principal } from '../../src/auth/consumers/principal.js';
import { jsonBody } from '../../src/platform/http/json-body.js';
import type { TestApp } from './test-app.js';

/** One route per permission, and one without a declared permission. Each returns the principal that the guard found. */
@Controller('v3/probe')
export class ProbeController {
  @All('retrieve')
  @RequirePermission(Permission.Retrieve)
  retrieve(@CurrentPrincipal() principal: Principal): Principal {
    return principal;
  }

  @All('add')
  @RequirePermission(Permission.Add)
  add(@CurrentPrincipal() principal: Principal): Principal {
    return principal;
  }

  @All('modify')
  @RequirePermission(Permission.Modify)
  modify(@CurrentPrincipal() principal: Principal): Principal {
    return principal;
  }

  @All('undeclared')
  undeclared(): string {
    return 'open';
  }
}

/** Adds a parser for JSON bodies below /v3. Moves it before the routes, which are already mounted. */
export function readBodies({ app }: TestApp): void {
  const express: Express = app.getHttpAdapter().getInstance();
  const { stack } = express.router;
  const mounted = stack.length;
  express.use('/v3', jsonBody('16kb'));
  const readers = stack.splice(mounted);
  stack.splice(
    stack.findIndex(({ route }) => route !== undefined),
    0,
    ...readers,
  );
}
