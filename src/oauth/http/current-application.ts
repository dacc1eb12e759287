import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

/** Hands a handler the id of the consumer key that the application guard has found. */
export const CurrentApplication = createParamDecorator(
  (_: unknown, context: ExecutionContext) =>
    context.switchToHttp().getRequest<Request>().consumerKeyId,
);
