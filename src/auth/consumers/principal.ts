import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

import type { ListSummary } from './caller-lists.js';
import type { Dialect, PageSize } from './entities/consumer-key.entity.js';

/** The calling application and the user that it acts for. */
export interface Principal {
  readonly consumerKeyId: string;
  readonly dialect: Dialect;
  readonly pageSize: PageSize;
  readonly userId: string;
  /** The summary of the user's list at the time when the caller was found. */
  readonly list: ListSummary;
}

declare module 'express' {
  interface Request {
    /** The application and the user of the call. The permission guard sets this property. */
    principal?: Principal;
  }
}

/** Injects the principal, which the permission guard has found, into the handler. */
export const CurrentPrincipal = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<Request>().principal,
);
