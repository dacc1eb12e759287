import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';

import { AdministratorNeededError } from '../../auth/auth.errors.js';
import { User } from '../../auth/entities/user.entity.js';
import { isAdministrator } from '../../auth/user-administration.service.js';

/** Accepts administrators, whom another guard has found. Removing the role takes effect at once. */
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
