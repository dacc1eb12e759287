import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

import type { ListSummary } from './caller-lists.js';
import type { Dialect, PageSize } from './entities/consumer-key.entity.js';

/** The calling application and the user for whom it calls. */
export interface Principal {
  readonly consumerKeyId: string;
  readonly dialect: Dialect;
  readonly pageSize: PageSize;
  readonly userId: string;
  /** The version and the item counts of the user's list. */
  readonly list: ListSummary;
}

declare module 'express' {
  interface Request {
    /** The application and the user of the call. PermissionGuard sets this property. */
    principal?: Principal;
  }
}

/**
 * A parameter decorator for request handlers. It injects the application and the user that
 * PermissionGuard has found.
 */
export const CurrentPrincipal = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<Request>().principal,
);
