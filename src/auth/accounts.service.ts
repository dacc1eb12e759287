import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { defined } from '../lib/util/defined.js';
import { canonicalTimeZone, isTimeZone } from '../lib/util/time-zone.js';
import {
  fieldProblem,
  type Problem,
  ValidationFailedError,
} from '../platform/common/common.errors.js';
import { Config } from '../platform/config/config.js';
import { Database } from '../platform/database/database.js';
import { isDateFormat } from '../platform/i18n/date-texts.js';
import { isLanguage } from '../platform/i18n/languages.js';
import { message } from '../platform/i18n/message.js';
import { parseRequest } from '../pocket-api/parse-request.js';
import { type ActingUser, AuditRepository } from './audit/audit.repository.js';
import { InvalidCredentialsError } from './auth.errors.js';
import { AuthenticationService } from './authentication.service.js';
import { AuditKind } from './entities/audit-kinds.js';
import { UNKNOWN_ORIGIN } from './entities/origin.js';
import type { User } from './entities/user.entity.js';
import { Passwords, requireAcceptable } from './passwords.js';
import { IsAccountName } from './registration.js';
import { UserRepository } from './user.repository.js';

/** The current password of an account and its new password. */
interface PasswordChange {
  readonly current: string;
  readonly next: string;
  /** Ends the access of all applications. Undefined if the applications keep their access. */
  readonly endAccess?: EndAccess | undefined;
}

/** Ends the access of all applications, personal keys and feed readers, in the transaction that changes a password. */
export type EndAccess = (manager: EntityManager, user: ActingUser) => Promise<void>;

/** The new name, from the form on the profile page. */
class NewName {
  @IsAccountName()
  name!: string;
}

/** The time zone and the date format of a user. An empty text stands for the default. */
export interface DateChoice {
  readonly zone: string;
  readonly format: string;
}

/** Changes that users make to their own accounts. */
@Injectable()
export class AccountsService {
  constructor(
    private readonly database: Database,
    private readonly passwords: Passwords,
    private readonly authentication: AuthenticationService,
    private readonly config: Config,
  ) {}

  /** Returns true if password login is on and the user has a password. */
  hasPassword({ passwordHash }: User): boolean {
    return this.config.passwordLogin && passwordHash !== null;
  }

  /**
   * Checks the password with which a user confirms a change. Does nothing for a user without a password, whose recent
   * login the pages require (docs/decisions/0128).
   * @throws InvalidCredentialsError if the password is wrong.
   */
  async requirePassword(user: User, current: string): Promise<void> {
    if (!this.hasPassword(user)) {
      return;
    }
    const found = await this.authentication.byPassword(
      user.email,
      current,
      user.origin ?? UNKNOWN_ORIGIN,
    );
    if (found?.id !== user.id) {
      throw new InvalidCredentialsError();
    }
  }

  /** @throws ValidationFailedError if registration would reject the name. */
  async rename({ id }: User, typed: string): Promise<void> {
    const { name } = parseRequest(NewName, { name: typed.trim() });
    await UserRepository.in(this.database.manager).update({ id }, { name });
  }

  /** @throws ValidationFailedError if the time zone or the date format is unknown. */
  async chooseDates({ id }: User, { zone: typed, format }: DateChoice): Promise<void> {
    const zone = canonicalTimeZone(typed);
    const problems: Problem[] = [];
    if (zone !== '' && !isTimeZone(zone)) {
      problems.push(fieldProblem('zone', 'must be a time zone', message('eReader.rules.zone')));
    }
    if (format !== '' && !isDateFormat(format)) {
      problems.push(fieldProblem('format', 'must be a format', message('account.dates.unknown')));
    }
    if (problems.length > 0) {
      throw new ValidationFailedError(problems);
    }
    const choice = { timeZone: zone || null, dateFormat: format || null };
    await UserRepository.in(this.database.manager).update({ id }, choice);
  }

  /**
   * Stores the language of pages and mails. An empty text stands for the language of the browser.
   * @throws ValidationFailedError if the service does not have the language.
   */
  async chooseLanguage({ id }: User, language: string): Promise<void> {
    if (language !== '' && !isLanguage(language)) {
      const advice = message('account.language.unknown');
      throw new ValidationFailedError([fieldProblem('language', 'must be a language', advice)]);
    }
    await UserRepository.in(this.database.manager).update({ id }, { language: language || null });
  }

  /**
   * Changes the password and signs the user out everywhere. Returns the updated user, so that the caller can begin a
   * new session.
   * @throws ValidationFailedError if the new password is not acceptable.
   * @throws InvalidCredentialsError if the current password is wrong.
   */
  async changePassword(
    { email, name, origin = UNKNOWN_ORIGIN }: User,
    { current, next, endAccess }: PasswordChange,
  ): Promise<User> {
    requireAcceptable(next, { email, name });
    const user = await this.authentication.byPassword(email, current, origin);
    if (user === undefined) {
      throw new InvalidCredentialsError();
    }
    return this.replacePassword(user, await this.passwords.hash(next), endAccess);
  }

  /** @throws InvalidCredentialsError if the user was signed out, or the password was changed, while this call ran. */
  private replacePassword(
    user: User,
    passwordHash: string,
    endAccess: EndAccess | undefined,
  ): Promise<User> {
    return this.database.transaction(async (manager) => {
      const users = UserRepository.in(manager);
      const locked = await users.lockSignedIn(user);
      await users.replacePassword(user.id, passwordHash);
      const details = defined({ hasEndedAccess: endAccess && true });
      await AuditRepository.in(manager).act(user, AuditKind.PasswordChanged, details);
      await endAccess?.(manager, user);
      return Object.assign(locked, { passwordHash, tokenVersion: user.tokenVersion + 1 });
    });
  }
}
