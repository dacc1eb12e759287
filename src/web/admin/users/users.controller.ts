import { Get, Param, Post, Req, UseGuards } from '@nestjs/common';
import type { Request } from 'express';

import { UserNotFoundError } from '../../../auth/auth.errors.js';
import { Role, User } from '../../../auth/entities/user.entity.js';
import { CurrentUser, PasswordLoginGuard } from '../../../auth/http/auth.guards.js';
import { UserAdministrationService } from '../../../auth/user-administration.service.js';
import { clean, cut } from '../../../lib/util/clean-text.js';
import { fieldProblem, ValidationFailedError } from '../../../platform/common/common.errors.js';
import { isId, textOf } from '../../../platform/common/request-fields.js';
import { Config } from '../../../platform/config/config.js';
import { ownAddress } from '../../../platform/http/own-address.js';
import { type Message, message, plainText } from '../../../platform/i18n/message.js';
import { RecentLogin } from '../../login/confirm/recent-login.guard.js';
import { Page } from '../../page.js';
import { type ShownPage, Template } from '../../template.js';
import { adminNotice, secretPage } from '../admin-pages.js';
import { AdministratorGuard } from '../administrator.guard.js';
import {
  type AdminAction,
  type AdminCard,
  AT_DETAILS,
  type Change,
  type Details,
  DetailsController,
} from '../details.controller.js';

const PAGE_SIZE = 50;
const LONGEST_SEARCH = 200;

interface UsersModel {
  readonly notice: Message | undefined;
  readonly search: string;
  readonly cards: readonly AdminCard[];
  readonly nextHref: string | undefined;
}

const usersPage = new Template<UsersModel>('admin/users/users', { kind: 'reader' });

/** The pages on which an administrator views and changes users. The same changes are possible on the command line. */
@UseGuards(AdministratorGuard)
@Page('admin/users')
export class AdminUsersController extends DetailsController<User> {
  protected override readonly kind = 'users';

  protected override readonly changes = new Map<string, Change<User>>([
    ['disable', { done: 'disabled', apply: ({ email }, { by }) => this.users.disable(email, by) }],
    ['enable', { done: 'enabled', apply: ({ email }, { by }) => this.users.enable(email, by) }],
    ['delete', { done: 'deleted', apply: ({ email }, { by }) => this.users.delete(email, by) }],
    [
      'sign-out',
      { done: 'signed-out', apply: ({ email }, { by }) => this.users.signOut(email, by) },
    ],
    [
      'verify',
      { done: 'verified', apply: ({ email }, { by }) => this.users.verifyEmail(email, by) },
    ],
    [
      'second-factor',
      {
        done: 'second-factor',
        apply: ({ email }, { by }) => this.users.resetSecondFactor(email, by),
      },
    ],
    [
      'passkeys',
      { done: 'passkeys', apply: ({ email }, { by }) => this.users.removePasskeys(email, by) },
    ],
    [
      'role',
      {
        done: 'role',
        apply: ({ email }, { by, body }) => this.users.setRole(email, roleIn(body), by),
      },
    ],
  ]);

  constructor(
    private readonly users: UserAdministrationService,
    private readonly config: Config,
  ) {
    super();
  }

  @Get()
  async list(@Req() request: Request): Promise<ShownPage> {
    const search = cut(clean(textOf(request.query, 'q')), LONGEST_SEARCH);
    const after = textOf(request.query, 'after');
    const found = await this.users.page({
      after: isId(after) ? after : '0',
      text: search.trim(),
      size: PAGE_SIZE + 1,
    });
    const shown = found.slice(0, PAGE_SIZE);
    const last = found.length > PAGE_SIZE ? shown.at(-1) : undefined;
    return usersPage.page({
      notice: adminNotice(request),
      search,
      cards: shown.map((user) => this.cardOf(user)),
      nextHref:
        last && `/admin/users?${new URLSearchParams({ q: search, after: last.id }).toString()}`,
    });
  }

  @Post(':id/reset')
  @RecentLogin(AT_DETAILS)
  @UseGuards(PasswordLoginGuard)
  async reset(
    @CurrentUser() by: User,
    @Param('id') id: string,
    @Req() request: Request,
  ): Promise<ShownPage> {
    const user = await this.find(id);
    const path = await this.users.resetPath(user.email, by);
    return secretPage.page({
      heading: message('admin.users.reset.title'),
      text: message('admin.users.reset.text', { email: user.email }),
      label: message('admin.link'),
      value: `${ownAddress(request, this.config.publicUrl)}${path}`,
      backHref: this.pathOf(user),
    });
  }

  /** @throws UserNotFoundError if no user has the id, or if the id is malformed. */
  protected override find(id: string): Promise<User> {
    if (!isId(id)) {
      throw new UserNotFoundError('with this number');
    }
    return this.users.findById(id);
  }

  protected override describe(user: User): Details {
    return describeUser(user, this.config);
  }
}

const ROLES = new Map(Object.values(Role).map((role): [string, Role] => [role, role]));

/**
 * Reads the role from a form.
 * @throws ValidationFailedError if the role is unknown.
 */
function roleIn(body: unknown): Role {
  const role = ROLES.get(textOf(body, 'role'));
  if (role === undefined) {
    throw new ValidationFailedError([fieldProblem('role', 'must be one of administrator, user')]);
  }
  return role;
}

function describeUser(user: User, config: Config): Details {
  const isAdministrator = user.role === Role.Administrator;
  return {
    title: user.email,
    summary: [plainText(user.name), ...(isAdministrator ? [roleName(user)] : [])],
    facts: [
      { name: message('common.name'), value: plainText(user.name) },
      { name: message('admin.users.role.label'), value: roleName(user) },
    ],
    actions: [
      isAdministrator ? DEMOTE : PROMOTE,
      ...(config.passwordLogin ? [RESET] : []),
      SIGN_OUT,
      REMOVE_SECOND_FACTOR,
      REMOVE_PASSKEYS,
      ...(user.emailVerifiedAt === null && needsVerifiedEmail(config) ? [VERIFY] : []),
    ],
  };
}

const roleName = ({ role }: User): Message => message(`admin.users.role.${role}`);

/** Returns true if some logins require a verified email address. */
const needsVerifiedEmail = (config: Config): boolean =>
  config.isEmailVerificationRequired ||
  config.issuer !== undefined ||
  config.forwardAuthHeader !== undefined;

const PROMOTE: AdminAction = {
  verb: 'role',
  label: message('admin.users.role.promote'),
  hint: message('admin.users.role.hint'),
  field: { name: 'role', value: Role.Administrator },
};

const DEMOTE: AdminAction = {
  verb: 'role',
  label: message('admin.users.role.demote'),
  hint: message('admin.users.role.hint'),
  field: { name: 'role', value: Role.User },
};

const RESET: AdminAction = {
  verb: 'reset',
  label: message('admin.users.reset.label'),
  hint: message('admin.users.reset.hint'),
};

const SIGN_OUT: AdminAction = {
  verb: 'sign-out',
  label: message('admin.users.signOut.label'),
  hint: message('admin.users.signOut.hint'),
};

const REMOVE_SECOND_FACTOR: AdminAction = {
  verb: 'second-factor',
  label: message('admin.users.secondFactor.label'),
  hint: message('admin.users.secondFactor.hint'),
};

const REMOVE_PASSKEYS: AdminAction = {
  verb: 'passkeys',
  label: message('admin.users.passkeys.label'),
  hint: message('admin.users.passkeys.hint'),
};

const VERIFY: AdminAction = {
  verb: 'verify',
  label: message('admin.users.verify.label'),
  hint: message('admin.users.verify.hint'),
};
