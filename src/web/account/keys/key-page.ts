import { Get, Post, Req } from '@nestjs/common';
import type { Request } from 'express';

import type { Permission } from '../../../auth/consumers/permission.js';
import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser } from '../../../auth/http/auth.guards.js';
import { textOf } from '../../../platform/common/request-fields.js';
import type { Config } from '../../../platform/config/config.js';
import { ownAddress } from '../../../platform/http/own-address.js';
import type { FormError } from '../../forms.js';
import { keyErrorsOf } from '../../key-errors.js';
import { RecentLogin } from '../../login/confirm/recent-login.guard.js';
import {
  type PermissionChoice,
  permissionChoices,
  permissionsIn,
} from '../../permission-choices.js';
import type { ShownPage } from '../../template.js';
import { validDaysIn, type ValidityChoice, validityChoices } from '../../validity.js';

/** The values of a form that creates a key. */
export interface KeyForm {
  readonly name: string;
  /** The login name that the user has typed. Empty for kinds of keys that have no login name. */
  readonly loginName: string;
  readonly permissions: Permission[];
  readonly validDays: number | undefined;
}

/** The values that the template `key-form` shows. */
export interface KeyFormModel {
  /** The name of the key, as the user has typed it. */
  readonly name: string;
  readonly loginName: string;
  readonly choices: readonly PermissionChoice[];
  readonly validities: readonly ValidityChoice[];
  readonly errors: readonly FormError[];
}

/** The user who opens the page for a new key, and the HTTP request. */
export interface KeyVisit {
  readonly user: User;
  readonly request: Request;
}

/** The base class of the pages on which a user creates a key. Each kind of key has its own page. */
export abstract class KeyPage {
  /** The permissions that the empty form preselects. */
  protected abstract readonly preselected: readonly Permission[];

  constructor(private readonly config: Config) {}

  @Get()
  @RecentLogin()
  show(@CurrentUser() user: User, @Req() request: Request): ShownPage | Promise<ShownPage> {
    const choices = permissionChoices(this.preselected);
    const validities = validityChoices();
    const form = { name: '', loginName: '', choices, validities, errors: [] };
    return this.formPage(form, 200, { user, request });
  }

  /**
   * Creates a key, and shows its secret once. No other page can show the secret, because only a hash of the secret is
   * stored.
   */
  @Post()
  @RecentLogin()
  async create(@CurrentUser() user: User, @Req() request: Request): Promise<ShownPage> {
    const form = formIn(request.body);
    try {
      return await this.createKey(user, form, ownAddress(request, this.config.publicUrl));
    } catch (error) {
      const { name, loginName, permissions, validDays } = form;
      const choices = permissionChoices(permissions);
      const validities = validityChoices(validDays);
      const rejected = { name, loginName, choices, validities, errors: keyErrorsOf(error) };
      return this.formPage(rejected, 400, { user, request });
    }
  }

  protected abstract formPage(
    form: KeyFormModel,
    status: number,
    visit: KeyVisit,
  ): ShownPage | Promise<ShownPage>;

  /**
   * Creates a key, and returns the page that shows the secret of the key. The caller converts the expected errors to
   * messages for the user with `keyErrorsOf`.
   *
   * @param address the address of this service without a trailing slash
   */
  protected abstract createKey(user: User, form: KeyForm, address: string): Promise<ShownPage>;
}

const formIn = (body: unknown): KeyForm => ({
  name: textOf(body, 'name').trim(),
  loginName: textOf(body, 'login_name').trim(),
  permissions: permissionsIn(body),
  validDays: validDaysIn(body),
});
