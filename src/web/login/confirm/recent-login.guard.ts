import {
  applyDecorators,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  SetMetadata,
  UseGuards,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';

import { User } from '../../../auth/entities/user.entity.js';
import { RecentLogins } from '../../../auth/session/recent-logins.js';

/**
 * Thrown if the user must prove the identity again. page-error.filter.ts handles this error with the page that asks for
 * the password. After the confirmation, the browser opens `formPath`, unless a form is sent again.
 */
export class ConfirmationNeeded extends Error {
  constructor(readonly formPath: string) {
    super('the user must prove the identity again');
  }
}

interface RecentLoginOptions {
  /** The path of the page with the form. The default is the path of the request. */
  readonly formPath?: string | ((request: Request) => string);
  /** True if the handler checks the password in the form. Users with a second factor must still confirm the login. */
  readonly hasPasswordInForm?: boolean;
}

const OPTIONS = 'satchel:recent-login';

/**
 * Requires that the user has proved the identity in the last 10 minutes. Without a recent login, the handler does not
 * run, and the browser shows the page that asks for the password.
 */
@Injectable()
export class RecentLoginGuard implements CanActivate {
  constructor(
    private readonly logins: RecentLogins,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const { formPath = request.path, hasPasswordInForm = false } =
      this.reflector.get<RecentLoginOptions>(OPTIONS, context.getHandler());
    const { user } = request;
    const isDue =
      !(user instanceof User) ||
      (hasPasswordInForm
        ? await this.logins.isDueBesidesPassword(request, user)
        : await this.logins.isDue(request, user));
    if (isDue) {
      throw new ConfirmationNeeded(typeof formPath === 'string' ? formPath : formPath(request));
    }
    return true;
  }

  /**
   * Does the same as the decorator RecentLogin, for handlers that need a recent login only in some cases.
   * @throws ConfirmationNeeded if the user must prove the identity again.
   */
  async require(request: Request, user: User, formPath = request.path): Promise<void> {
    if (await this.logins.isDue(request, user)) {
      throw new ConfirmationNeeded(formPath);
    }
  }
}

/** Requires a recent login for a handler of a page (docs/decisions/0128). */
export const RecentLogin = (options: RecentLoginOptions = {}): MethodDecorator =>
  applyDecorators(SetMetadata(OPTIONS, options), UseGuards(RecentLoginGuard));
