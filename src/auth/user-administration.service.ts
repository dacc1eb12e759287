import { Injectable } from '@nestjs/common';

import { Clock } from '../platform/common/clock.js';
import { Config } from '../platform/config/config.js';
import { Database } from '../platform/database/database.js';
import { AuditRepository } from './audit/audit.repository.js';
import {
  AdministratorNeededError,
  LastAdministratorError,
  PasswordLoginOffError,
  UserNotFoundError,
} from './auth.errors.js';
import { canonicalEmail } from './email-address.js';
import { AuditKind } from './entities/audit-kinds.js';
import { LinkPurpose } from './entities/one-time-link.entity.js';
import { Role, type User } from './entities/user.entity.js';
import { OneTimeLinks } from './links/one-time-links.js';
import { resetPathWith } from './links/password-resets.js';
import { Passwords, requireAcceptable } from './passwords.js';
import { type UserPage, UserRepository } from './user.repository.js';

/** The lifetime of a reset link that an administrator creates for a user, in seconds. */
const RESET_SECONDS = 24 * 60 * 60;

export const isAdministrator = (user: User | null): boolean =>
  user?.role === Role.Administrator && user.disabledAt === null;

type Work = (users: UserRepository, user: User) => Promise<unknown>;

/** The kind of a change, and the administrator who makes it. Without an administrator, the operator makes the change. */
interface Act {
  readonly by: User | undefined;
  readonly kind: AuditKind;
}

/**
 * Operations on accounts, for the command line and for administrators. `by` is the administrator
 * who runs the operation. On the command line, `by` is undefined.
 * @throws UserNotFoundError if the user does not exist.
 * @throws AdministratorNeededError if `by` is no longer an administrator.
 * @throws LastAdministratorError if `by` would disable, delete or demote the last administrator.
 */
@Injectable()
export class UserAdministrationService {
  // eslint-disable-next-line @typescript-eslint/max-params -- the container passes them, by their types
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly links: OneTimeLinks,
    private readonly passwords: Passwords,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  list(): Promise<User[]> {
    return this.users.find({ order: { id: 'ASC' } });
  }

  page(wanted: UserPage): Promise<User[]> {
    return this.users.page(wanted);
  }

  find(email: string): Promise<User> {
    return this.found(this.users.findOneBy({ email: canonicalEmail(email) }), email);
  }

  findById(id: string): Promise<User> {
    return this.found(this.users.findOneBy({ id }), id);
  }

  /** Disables an account: signs the user out and blocks logins. Keeps the user's data. */
  disable(email: string, by?: User): Promise<void> {
    return this.end(
      email,
      { by, kind: AuditKind.UserDisabled },
      async (users, { id, disabledAt }) => {
        await users.update({ id }, { disabledAt: disabledAt ?? this.clock.now() });
        await users.endResetLinks(id);
        await users.signOut(id);
      },
    );
  }

  enable(email: string, by?: User): Promise<void> {
    return this.change(email, { by, kind: AuditKind.UserEnabled }, (users, { id }) =>
      users.update({ id }, { disabledAt: null }),
    );
  }

  /** Deletes the account and all its data. */
  delete(email: string, by?: User): Promise<void> {
    const act = { by, kind: AuditKind.AccountDeleted };
    return this.end(email, act, async (users, { id }) => {
      // The mail about the deletion needs the address of the account.
      await AuditRepository.in(users.manager).administer({ ...act, userId: id });
      await users.deleteAccount(id);
      return false;
    });
  }

  setRole(email: string, role: Role, by?: User): Promise<void> {
    const work: Work = async (users, user) => {
      await users.update({ id: user.id }, { role });
      return user.role !== role;
    };
    return role === Role.Administrator
      ? this.change(email, { by, kind: AuditKind.AdministratorAppointed }, work)
      : this.end(email, { by, kind: AuditKind.AdministratorDismissed }, work);
  }

  /** @throws ValidationFailedError if registration would reject the password. */
  async setPassword(email: string, password: string): Promise<void> {
    const { email: address, name } = await this.find(email);
    requireAcceptable(password, { email: address, name });
    const passwordHash = await this.passwords.hash(password);
    const act = { by: undefined, kind: AuditKind.PasswordChanged };
    await this.change(email, act, (users, { id }) => users.replacePassword(id, passwordHash));
  }

  signOut(email: string, by?: User): Promise<void> {
    return this.change(email, { by, kind: AuditKind.SignedOut }, (users, { id }) =>
      users.signOut(id),
    );
  }

  /**
   * Marks the email address of a user as verified. Administrators call this if a user does not receive the mail with
   * the verification link.
   */
  verifyEmail(email: string, by?: User): Promise<void> {
    return this.change(email, { by, kind: AuditKind.EmailVerified }, (users, { id }) =>
      users.verifyEmail(id),
    );
  }

  /**
   * Removes the second factor of a user who has lost the app and the recovery codes. The user can then log in with the
   * password only.
   */
  resetSecondFactor(email: string, by?: User): Promise<void> {
    return this.change(email, { by, kind: AuditKind.SecondFactorOff }, (users, { id }) =>
      users.removeSecondFactor(id),
    );
  }

  /** Removes all passkeys of a user, for example after a device was stolen. The password stays. */
  removePasskeys(email: string, by?: User): Promise<void> {
    return this.change(email, { by, kind: AuditKind.PasskeyRemoved }, (users, { id }) =>
      users.removePasskeys(id),
    );
  }

  /**
   * Returns the path of a link with which the user can set a new password. The link works once, within 24 hours.
   * @throws PasswordLoginOffError if password login is off.
   */
  async resetPath(email: string, by?: User): Promise<string> {
    if (!this.config.passwordLogin) {
      throw new PasswordLoginOffError();
    }
    let token = '';
    await this.change(
      email,
      { by, kind: AuditKind.ResetLinkCreated },
      async ({ manager }, { id: userId }) => {
        const link = {
          purpose: LinkPurpose.PasswordReset,
          userId,
          ttlSeconds: RESET_SECONDS,
          ...(by !== undefined && { createdBy: by.id }),
        };
        token = await this.links.make(link, manager);
      },
    );
    return resetPathWith(token);
  }

  /**
   * Runs a change that disables, deletes or demotes a user.
   * @throws LastAdministratorError if `by` is set and no other administrator would remain.
   */
  private end(email: string, act: Act, work: Work): Promise<void> {
    const { by } = act;
    return this.change(email, act, async (users, user) => {
      if (by !== undefined && !(await users.hasAdministratorBesides(user.id))) {
        throw new LastAdministratorError();
      }
      return work(users, user);
    });
  }

  /**
   * Locks the user and runs `work`. If an administrator changes another administrator, locks all
   * administrators first, so that two parallel changes cannot remove the last one. Otherwise,
   * administrators stay unlocked, because `work` may take minutes, and a locked administrator could
   * not log in.
   */
  private change(email: string, { by, kind }: Act, work: Work): Promise<void> {
    return this.database.transaction(async (manager) => {
      const users = UserRepository.in(manager);
      const { id, role } = await this.found(
        users.findOneBy({ email: canonicalEmail(email) }),
        email,
      );
      if (by !== undefined && role === Role.Administrator) {
        await users.lockWithAdministrators(id);
      }
      const user = await this.found(users.lock(id), email);
      if (by !== undefined) {
        await requireAdministrator(users, by);
      }
      if ((await work(users, user)) !== false) {
        await AuditRepository.in(manager).administer({ kind, by, userId: id });
      }
    });
  }

  private async found(user: Promise<User | null>, reference: string): Promise<User> {
    const found = await user;
    if (found === null) {
      throw new UserNotFoundError(reference);
    }
    return found;
  }
}

async function requireAdministrator(users: UserRepository, { id }: User): Promise<void> {
  if (!(await users.findOneBy({ id }).then(isAdministrator))) {
    throw new AdministratorNeededError();
  }
}
