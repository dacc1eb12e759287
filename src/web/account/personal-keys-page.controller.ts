import { Controller, Get, Post, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';

import type { Permission } from '../../auth/consumers/permission.js';
import {
  type PersonalKeyPair,
  PersonalKeysService,
} from '../../auth/consumers/personal-keys.service.js';
import { User } from '../../auth/entities/user.entity.js';
import { CurrentUser } from '../../auth/http/auth.guards.js';
import { AuthorizationsService } from '../../auth/oauth/authorizations.service.js';
import { isId, textOf } from '../../platform/common/request-fields.js';
import { Config } from '../../platform/config/config.js';
import { ownAddress } from '../../platform/http/own-address.js';
import { Public } from '../../platform/http/public.js';
import { CsrfGuard, csrfTokenOf } from '../csrf.guard.js';
import { keyErrorsOf } from '../key-errors.js';
import { PageErrorFilter } from '../page-error.filter.js';
import { goTo, Pages, READER_POLICY } from '../pages.js';
import { permissionChoices, permissionsIn } from '../permission-choices.js';
import type { FormError } from '../views.js';
import { VisitorGuard } from '../visitors.js';
import { cardOf, noticeOf } from './view-models.js';

/** The fields of the form for a new personal key. */
interface KeyForm {
  readonly name: string;
  readonly permissions: Permission[];
}

const formIn = (body: unknown): KeyForm => ({
  name: textOf(body, 'name').trim(),
  permissions: permissionsIn(body),
});

interface Visit {
  readonly user: User;
  readonly request: Request;
  readonly response: Response;
}

/** The page on which users create and revoke keys for their own scripts and devices (docs/api/personal-keys.md). */
@Public()
@UseFilters(PageErrorFilter)
@UseGuards(VisitorGuard)
@Controller('account/keys')
export class PersonalKeysPageController {
  constructor(
    private readonly pages: Pages,
    private readonly personalKeys: PersonalKeysService,
    private readonly authorizations: AuthorizationsService,
    private readonly config: Config,
  ) {}

  @Get()
  async show(
    @CurrentUser() user: User,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.showKeys({ user, request, response });
  }

  /** Creates a key, and shows it. No other page can show the key, because only its hash is stored. */
  @Post()
  @UseGuards(CsrfGuard)
  async create(
    @CurrentUser() user: User,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const form = formIn(request.body);
    const made = await this.madeOf(user, form);
    if (Array.isArray(made)) {
      await this.showKeys({ user, request, response }, form, made);
      return;
    }
    const model = {
      ...made,
      name: form.name,
      permissions: form.permissions,
      address: ownAddress(request, this.config.publicUrl),
    };
    this.pages.show(response, 'personal-key', model, { policy: READER_POLICY });
  }

  @Post('revoke')
  @UseGuards(CsrfGuard)
  async revoke(
    @CurrentUser() user: User,
    @Req() { body }: Request,
    @Res() response: Response,
  ): Promise<void> {
    const id = textOf(body, 'key');
    if (isId(id)) {
      await this.authorizations.revoke(user.id, id);
    }
    goTo(response, '/account/keys?done=key-revoked');
  }

  private async showKeys(
    { user, request, response }: Visit,
    { name, permissions }: KeyForm = { name: '', permissions: [] },
    errors: readonly FormError[] = [],
  ): Promise<void> {
    const keys = await this.personalKeys.list(user.id);
    const model = {
      csrfToken: csrfTokenOf(request),
      notice: noticeOf(textOf(request.query, 'done')),
      keys: keys.map(cardOf),
      choices: permissionChoices(permissions),
      name,
      errors,
    };
    const status = errors.length > 0 ? 400 : 200;
    this.pages.show(response, 'personal-keys', model, { status, policy: READER_POLICY });
  }

  /** Creates and returns a personal key, or returns the errors of the form. */
  private async madeOf(user: User, form: KeyForm): Promise<PersonalKeyPair | FormError[]> {
    try {
      return await this.personalKeys.create(user, form);
    } catch (error) {
      return keyErrorsOf(error);
    }
  }
}
