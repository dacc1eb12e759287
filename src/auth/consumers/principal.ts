import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

import type { ListSummary } from './caller-lists.js';
import type { Dialect, PageSize } from './entities/consumer-key.entity.js';

/** The calling application and the user it acts for. */
export interface Principal {
  readonly consumerKeyId: string;
  readonly dialect: Dialect;
  readonly pageSize: PageSize;
  readonly userId: string;
  /** The state at the time when the caller was found. */
  readonly list: ListSummary;
}

declare module 'express' {
  interface Request {
    /** Set by the permission guard. */
    principal?: Principal;
  }
}

/** Passes the principal that the permission guard has found to the handler. */
export const CurrentPrincipal = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<Request>().principal,
);
