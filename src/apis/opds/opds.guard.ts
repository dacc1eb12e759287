import {
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';

import { AuditRepository } from '../../auth/audit/audit.repository.js';
import {
  ApplicationPasswords,
  type PasswordHolder,
} from '../../auth/consumers/application-passwords.service.js';
import { UndeclaredRouteError } from '../../auth/consumers/consumers.errors.js';
import type { Permission } from '../../auth/consumers/permission.js';
import { LoginAttempts } from '../../auth/login-attempts.js';
import { originOf } from '../../auth/session/device.js';
import { Config } from '../../platform/config/config.js';
import { ownAddress } from '../../platform/http/own-address.js';
import { chooseLanguage } from '../../platform/http/request-language.js';
import { CallLimits } from '../../platform/throttling/call-limits.js';
import { CatalogueLoginError, CataloguePermissionError } from './opds.errors.js';

declare module 'express' {
  interface Request {
    /** The user of the application password. `OpdsGuard` sets this property. */
    passwordHolder?: PasswordHolder;
  }
}

/** Declares the permission that an application password needs for a route of the catalogue. */
export const OpdsPermission = Reflector.createDecorator<Permission>();

/**
 * Accepts a request if its application password has the permission of the route (docs/decisions/0072). Counts the
 * request, and rejects requests over the limit of the user or the password.
 */
@Injectable()
export class OpdsGuard implements CanActivate {
  // eslint-disable-next-line @typescript-eslint/max-params -- the container passes them, by their types
  constructor(
    private readonly reflector: Reflector,
    private readonly attempts: LoginAttempts,
    private readonly passwords: ApplicationPasswords,
    private readonly config: Config,
    private readonly limits: CallLimits,
    private readonly audit: AuditRepository,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const declarations = [context.getHandler(), context.getClass()];
    const needed = this.reflector.getAllAndOverride<Permission | undefined>(
      OpdsPermission.KEY,
      declarations,
    );
    if (needed === undefined) {
      throw new UndeclaredRouteError();
    }
    const request = context.switchToHttp().getRequest<Request>();
    const holder = await this.holderOf(request);
    if (!holder.permissions.includes(needed)) {
      throw new CataloguePermissionError(needed);
    }
    await this.limits.countSyncCall(holder.userId, holder.consumerKeyId);
    request.principal = holder;
    request.passwordHolder = holder;
    chooseLanguage(request, holder.language);
    return true;
  }

  /**
   * Returns the user of the application password. A request without credentials does not count as a failed login,
   * because the first request of an e-reader contains no credentials.
   */
  private async holderOf(request: Request): Promise<PasswordHolder> {
    const credentials = credentialsIn(request.headers.authorization ?? '');
    const holder =
      credentials &&
      (await this.attempts.run(
        { request, email: credentials.email },
        () => this.find(request, credentials),
        (found) => found !== undefined,
      ));
    if (holder === undefined) {
      throw new CatalogueLoginError(`${ownAddress(request, this.config.publicUrl)}/account/keys`);
    }
    return holder;
  }

  private async find(
    request: Request,
    { email, password }: Credentials,
  ): Promise<PasswordHolder | undefined> {
    const holder = await this.passwords.find(email, password);
    if (holder === undefined) {
      await this.audit.refuseLogin(email, originOf(request));
    }
    return holder;
  }
}

interface Credentials {
  readonly email: string;
  readonly password: string;
}

const BASIC = /^basic +([\w+/-]+=*) *$/i;

/** Splits Basic credentials at the first colon. A user name cannot contain a colon (RFC 7617 section 2). */
function credentialsIn(header: string): Credentials | undefined {
  const text = Buffer.from(BASIC.exec(header)?.[1] ?? '', 'base64').toString();
  const colon = text.indexOf(':');
  return colon === -1
    ? undefined
    : { email: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** Passes the user of the application password to a parameter of the handler. */
export const CurrentHolder = createParamDecorator(
  (_: unknown, context: ExecutionContext) =>
    context.switchToHttp().getRequest<Request>().passwordHolder,
);
