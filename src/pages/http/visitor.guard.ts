import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';

import { Visitors } from './visitors.js';

/** Nobody has logged in: the answer is the way to where they can (page-error.filter.ts). */
export class SignInNeeded extends Error {}

/** Lets somebody pass who has logged in. */
@Injectable()
export class VisitorGuard implements CanActivate {
  constructor(private readonly visitors: Visitors) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const user = await this.visitors.find(request);
    if (user === undefined) {
      throw new SignInNeeded();
    }
    request.user = user;
    return true;
  }
}
