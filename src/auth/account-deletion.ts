import { Injectable } from '@nestjs/common';

import { Database } from '../platform/database/database.js';
import { AccountsService } from './accounts.service.js';
import { AuditRepository } from './audit/audit.repository.js';
import { InvalidCredentialsError, LastAdministratorError } from './auth.errors.js';
import { canonicalEmail } from './email-address.js';
import { AuditKind } from './entities/audit-kinds.js';
import { Role, type User } from './entities/user.entity.js';
import { UserRepository } from './user.repository.js';
import { isAdministrator } from './user-administration.service.js';

/** The values with which a user confirms the deletion: the password, or without a password the email address. */
interface DeletionConfirmation {
  readonly current: string;
  readonly email: string;
}

/** Lets users delete their own accounts (docs/decisions/0106). */
@Injectable()
export class AccountDeletion {
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly accounts: AccountsService,
  ) {}

  /** Returns true if the service would have no administrator without this user. */
  async isLastAdministrator(user: User): Promise<boolean> {
    return isAdministrator(user) && !(await this.users.hasAdministratorBesides(user.id));
  }

  /**
   * Deletes the account of a user with all its data.
   * @throws InvalidCredentialsError if the password or the typed email address is wrong, or if the user was signed out
   * while this call ran.
   * @throws LastAdministratorError if no administrator would remain.
   */
  async delete(user: User, { email, current }: DeletionConfirmation): Promise<void> {
    await this.accounts.requirePassword(user, current);
    if (!this.accounts.hasPassword(user) && canonicalEmail(email) !== user.email) {
      throw new InvalidCredentialsError();
    }
    const isFormerAdministrator = await this.resign(user);
    await this.database.transaction(async (manager) => {
      const users = UserRepository.in(manager);
      if (isFormerAdministrator) {
        // Another administrator may have restored the account after the first transaction.
        const { disabledAt = null } = (await users.lock(user.id)) ?? {};
        if (disabledAt === null) {
          throw new InvalidCredentialsError();
        }
      } else if (isAdministrator(await users.lockSignedIn(user))) {
        // Another administrator has promoted the user after the first transaction.
        throw new InvalidCredentialsError();
      }
      // The mail about the deletion needs the address of the account.
      await AuditRepository.in(manager).act(user, AuditKind.AccountDeleted);
      await users.deleteAccount(user.id);
    });
  }

  /**
   * Demotes an administrator, disables the account and signs the user out. A transaction of its own, because
   * it locks all administrators, and the deletion of a long list can take minutes. Two administrators who delete
   * themselves at the same time run one after the other. Returns false if the user is not an administrator.
   */
  private resign(user: User): Promise<boolean> {
    return this.database.transaction(async (manager) => {
      const users = UserRepository.in(manager);
      if (!(await users.existsBy({ id: user.id, role: Role.Administrator }))) {
        return false;
      }
      await users.lockWithAdministrators(user.id);
      if (!isAdministrator(await users.lockSignedIn(user))) {
        return false;
      }
      if (!(await users.hasAdministratorBesides(user.id))) {
        throw new LastAdministratorError();
      }
      await users.update({ id: user.id }, { role: Role.User, disabledAt: () => 'now()' });
      await users.signOut(user.id);
      return true;
    });
  }
}
