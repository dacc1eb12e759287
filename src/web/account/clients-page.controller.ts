import { Controller, Get, Post, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';

import { ClientsService } from '../../auth/consumers/clients.service.js';
import { ALL_PERMISSIONS, type Permission } from '../../auth/consumers/permission.js';
import { User } from '../../auth/entities/user.entity.js';
import { CurrentUser } from '../../auth/http/auth.guards.js';
import { textOf } from '../../platform/common/request-fields.js';
import { Config } from '../../platform/config/config.js';
import { Public } from '../../platform/http/public.js';
import { CsrfGuard, csrfTokenOf } from '../csrf.guard.js';
import { PageErrorFilter } from '../page-error.filter.js';
import { Pages, READER_POLICY } from '../pages.js';
import { permissionChoices, permissionsIn } from '../permission-choices.js';
import type { FormError } from '../views.js';
import { VisitorGuard } from '../visitors.js';
import { newClient, wallabagAddress } from '../wallabag/new-client.js';

interface ClientForm {
  readonly name: string;
  readonly permissions: Permission[];
}

/** The values of the empty form. All permissions are preselected, because most apps need them all. */
const EMPTY: ClientForm = { name: '', permissions: [...ALL_PERMISSIONS] };

/**
 * The page on which a user creates a client for an app made for wallabag. The page /account/keys lists and revokes
 * clients.
 */
@Public()
@UseFilters(PageErrorFilter)
@UseGuards(VisitorGuard)
@Controller('account/keys/clients')
export class ClientsPageController {
  constructor(
    private readonly pages: Pages,
    private readonly clients: ClientsService,
    private readonly config: Config,
  ) {}

  @Get()
  show(@Req() request: Request, @Res() response: Response): void {
    this.showForm(request, response, EMPTY);
  }

  /** Creates a client, and shows its secret. No other page can show the secret, because only its hash is stored. */
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
      permissions: permissionsIn(body),
    };
    const address = wallabagAddress(request, this.config.publicUrl);
    const made = await newClient(this.clients, { user, ...form, address });
    if (Array.isArray(made)) {
      this.showForm(request, response, form, made);
      return;
    }
    this.pages.show(response, 'wallabag/client', made, { policy: READER_POLICY });
  }

  private showForm(
    request: Request,
    response: Response,
    { name, permissions }: ClientForm,
    errors: readonly FormError[] = [],
  ): void {
    const model = {
      csrfToken: csrfTokenOf(request),
      choices: permissionChoices(permissions),
      name,
      errors,
    };
    const status = errors.length > 0 ? 400 : 200;
    this.pages.show(response, 'wallabag/clients', model, { status, policy: READER_POLICY });
  }
}
