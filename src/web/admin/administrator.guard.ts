import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';

import { AdministratorNeededError } from '../../auth/auth.errors.js';
import { User } from '../../auth/entities/user.entity.js';
import { isAdministrator } from '../../auth/user-administration.service.js';

/** Lets administrators pass, whom another guard has found; a role that is taken away counts at once. */
@Injectable()
export class AdministratorGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { user } = context.switchToHttp().getRequest<Request>();
    if (!(user instanceof User) || !isAdministrator(user)) {
      throw new AdministratorNeededError();
    }
    return true;
  }
}
