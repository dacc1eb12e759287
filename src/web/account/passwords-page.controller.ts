import { Controller, Get, Post, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';

import { ApplicationPasswords } from '../../auth/consumers/application-passwords.service.js';
import { Permission } from '../../auth/consumers/permission.js';
import { User } from '../../auth/entities/user.entity.js';
import { CurrentUser } from '../../auth/http/auth.guards.js';
import { textOf } from '../../platform/common/request-fields.js';
import { Config } from '../../platform/config/config.js';
import { ownAddress } from '../../platform/http/own-address.js';
import { Public } from '../../platform/http/public.js';
import { CsrfGuard, csrfTokenOf } from '../csrf.guard.js';
import { keyErrorsOf } from '../key-errors.js';
import { PageErrorFilter } from '../page-error.filter.js';
import { Pages, READER_POLICY } from '../pages.js';
import { permissionChoices, permissionsIn } from '../permission-choices.js';
import type { FormError } from '../views.js';
import { VisitorGuard } from '../visitors.js';

interface PasswordForm {
  readonly name: string;
  readonly loginName: string;
  readonly permissions: Permission[];
}

/** The values of the empty form. Only one permission is preselected, because most e-readers only read. */
const EMPTY: PasswordForm = { name: '', loginName: '', permissions: [Permission.Retrieve] };

/** The page on which a user creates an application password. The page /account/keys lists and revokes passwords. */
@Public()
@UseFilters(PageErrorFilter)
@UseGuards(VisitorGuard)
@Controller('account/keys/passwords')
export class PasswordsPageController {
  constructor(
    private readonly pages: Pages,
    private readonly passwords: ApplicationPasswords,
    private readonly config: Config,
  ) {}

  @Get()
  show(@Req() request: Request, @Res() response: Response): void {
    this.showForm(request, response, EMPTY);
  }

  /**
   * Creates an application password, and shows it. No other page can show the password, because only its hash is
   * stored.
   */
  @Post()
  @UseGuards(CsrfGuard)
  async create(
    @CurrentUser() user: User,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const body: unknown = request.body;
    const form = {
      name: textOf(body, 'name').trim(),
      loginName: textOf(body, 'login_name').trim(),
      permissions: permissionsIn(body),
    };
    const made = await this.madeOf(user, form);
    if (typeof made !== 'string') {
      this.showForm(request, response, form, made);
      return;
    }
    const model = {
      name: form.name,
      email: user.email,
      password: made,
      loginName: form.loginName.toLowerCase(),
      canRead: form.permissions.includes(Permission.Retrieve),
      address: `${ownAddress(request, this.config.publicUrl)}/opds`,
    };
    this.pages.show(response, 'catalogue/password', model, { policy: READER_POLICY });
  }

  private showForm(
    request: Request,
    response: Response,
    { name, loginName, permissions }: PasswordForm,
    errors: readonly FormError[] = [],
  ): void {
    const model = {
      csrfToken: csrfTokenOf(request),
      choices: permissionChoices(permissions),
      name,
      loginName,
      errors,
    };
    const status = errors.length > 0 ? 400 : 200;
    this.pages.show(response, 'catalogue/passwords', model, { status, policy: READER_POLICY });
  }

  /** Creates and returns an application password, or returns the errors of the form. */
  private async madeOf(user: User, form: PasswordForm): Promise<string | FormError[]> {
    try {
      return await this.passwords.create(user, form);
    } catch (error) {
      return keyErrorsOf(error);
    }
  }
}
