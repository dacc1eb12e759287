import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';

import { AdministratorNeededError } from '../../auth/auth.errors.js';
import { User } from '../../auth/entities/user.entity.js';
import { isAdministrator } from '../../auth/user-administration.service.js';

/**
 * Rejects users who are not administrators. Requires that another guard has set `request.user`. If a user loses the
 * role of an administrator, the next request of this user is rejected.
 */
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
