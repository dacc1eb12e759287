import {
  Controller,
  Get,
  NotFoundException,
  Param,
  Post,
  Req,
  Res,
  UseFilters,
  UseGuards,
} from '@nestjs/common';
import type { Request, Response } from 'express';

import { LastAdministratorError, UserNotFoundError } from '../../auth/auth.errors.js';
import { Role, User } from '../../auth/entities/user.entity.js';
import { CurrentUser, PasswordLoginGuard } from '../../auth/http/auth.guards.js';
import { UserAdministrationService } from '../../auth/user-administration.service.js';
import { clean, cut } from '../../lib/util/clean-text.js';
import { fieldProblem, ValidationFailedError } from '../../platform/common/common.errors.js';
import { isId, textOf } from '../../platform/common/request-fields.js';
import { Config } from '../../platform/config/config.js';
import { ownAddress } from '../../platform/http/own-address.js';
import { Public } from '../../platform/http/public.js';
import { momentOf } from '../account/view-models.js';
import { CsrfGuard, csrfTokenOf } from '../csrf.guard.js';
import { PageErrorFilter } from '../page-error.filter.js';
import { goTo, Pages, READER_POLICY } from '../pages.js';
import { VisitorGuard } from '../visitors.js';
import { adminNotice, userActions, userCard, userFacts, userPath } from './admin-models.js';
import { AdministratorGuard } from './administrator.guard.js';

const PAGE_SIZE = 50;
const LONGEST_SEARCH = 200;

/** The fields of a form, and the administrator who has sent the form. */
interface Asked {
  readonly by: User;
  readonly body: unknown;
}

/** A change of one user. `done` is the name of the change in the address of the next page. */
interface Change {
  readonly done: string;
  readonly make: (users: UserAdministrationService, email: string, asked: Asked) => Promise<void>;
}

/** The changes of a user, keyed by the last part of the form's path. */
const CHANGES: ReadonlyMap<string, Change> = new Map([
  ['disable', { done: 'disabled', make: (users, email, { by }) => users.disable(email, by) }],
  ['enable', { done: 'enabled', make: (users, email, { by }) => users.enable(email, by) }],
  ['delete', { done: 'deleted', make: (users, email, { by }) => users.delete(email, by) }],
  ['sign-out', { done: 'signed-out', make: (users, email, { by }) => users.signOut(email, by) }],
  ['verify', { done: 'verified', make: (users, email, { by }) => users.verifyEmail(email, by) }],
  [
    'second-factor',
    {
      done: 'second-factor',
      make: (users, email, { by }) => users.resetSecondFactor(email, by),
    },
  ],
  [
    'role',
    {
      done: 'role',
      make: (users, email, { by, body }) => users.setRole(email, roleIn(body), by),
    },
  ],
] satisfies [string, Change][]);

/** The pages on which an administrator views and changes users. The same changes are possible on the command line. */
@Public()
@UseFilters(PageErrorFilter)
@UseGuards(VisitorGuard, AdministratorGuard)
@Controller('admin/users')
export class AdminUsersController {
  constructor(
    private readonly pages: Pages,
    private readonly users: UserAdministrationService,
    private readonly config: Config,
  ) {}

  @Get()
  async list(@Req() request: Request, @Res() response: Response): Promise<void> {
    const search = cut(clean(textOf(request.query, 'q')), LONGEST_SEARCH);
    const after = textOf(request.query, 'after');
    const found = await this.users.page({
      after: isId(after) ? after : '0',
      text: search.trim(),
      size: PAGE_SIZE + 1,
    });
    const shown = found.slice(0, PAGE_SIZE);
    const last = found.length > PAGE_SIZE ? shown.at(-1) : undefined;
    const model = {
      csrfToken: csrfTokenOf(request),
      notice: adminNotice(textOf(request.query, 'done')),
      errors: [],
      search,
      users: shown.map(userCard),
      nextHref:
        last && `/admin/users?${new URLSearchParams({ q: search, after: last.id }).toString()}`,
    };
    this.pages.show(response, 'admin/users', model, { policy: READER_POLICY });
  }

  @Get(':id')
  async show(
    @Param('id') id: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    this.showUser(request, response, await this.find(id));
  }

  @Get(':id/delete')
  async askToDelete(
    @Param('id') id: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const user = await this.find(id);
    const model = {
      csrfToken: csrfTokenOf(request),
      heading: `Delete ${user.email}?`,
      text: 'The account goes with everything that belongs to it: the list, its articles and highlights, and the access of applications. This cannot be undone.',
      action: `${userPath(user)}/delete`,
      label: 'Delete the account',
      backHref: userPath(user),
    };
    this.pages.show(response, 'admin/confirm', model, { policy: READER_POLICY });
  }

  @Post(':id/reset')
  @UseGuards(PasswordLoginGuard, CsrfGuard)
  async reset(
    @CurrentUser() by: User,
    @Param('id') id: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const user = await this.find(id);
    const path = await this.users.resetPath(user.email, by);
    const model = {
      heading: 'A link for a new password',
      text: `Hand it over to ${user.email}: it works once, for a day. It is shown only now.`,
      label: 'Link',
      value: `${ownAddress(request, this.config.publicUrl)}${path}`,
      backHref: userPath(user),
    };
    this.pages.show(response, 'admin/secret', model, { policy: READER_POLICY });
  }

  @Post(':id/:verb')
  @UseGuards(CsrfGuard)
  async change(
    @CurrentUser() by: User,
    @Param() { id = '', verb = '' }: Readonly<Partial<Record<'id' | 'verb', string>>>,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const change = CHANGES.get(verb);
    if (change === undefined) {
      throw new NotFoundException();
    }
    const user = await this.find(id);
    try {
      await change.make(this.users, user.email, { by, body: request.body });
    } catch (error) {
      if (error instanceof LastAdministratorError) {
        this.showUser(request, response, user, error);
        return;
      }
      throw error;
    }
    const path = verb === 'delete' ? '/admin/users' : userPath(user);
    goTo(response, `${path}?done=${change.done}`);
  }

  /** @throws UserNotFoundError if no user has the id, or if the id is malformed. */
  private find(id: string): Promise<User> {
    if (!isId(id)) {
      throw new UserNotFoundError('with this number');
    }
    return this.users.findById(id);
  }

  private showUser(request: Request, response: Response, user: User, error?: Error): void {
    const model = {
      csrfToken: csrfTokenOf(request),
      notice: adminNotice(textOf(request.query, 'done')),
      errors: error === undefined ? [] : [{ field: '', text: error.message }],
      email: user.email,
      facts: userFacts(user),
      created: momentOf(user.createdAt),
      actions: userActions(user, this.config),
      deleteHref: `${userPath(user)}/delete`,
    };
    const status = error === undefined ? 200 : 409;
    this.pages.show(response, 'admin/user', model, { status, policy: READER_POLICY });
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
