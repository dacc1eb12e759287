import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { Request, Response } from 'express';

import { ClientsService } from '../../auth/consumers/clients.service.js';
import { KeyKind } from '../../auth/consumers/entities/consumer-key.entity.js';
import { ALL_PERMISSIONS } from '../../auth/consumers/permission.js';
import { PersonalKeysService } from '../../auth/consumers/personal-keys.service.js';
import type { User } from '../../auth/entities/user.entity.js';
import { objectIn, textOf } from '../../platform/common/request-fields.js';
import { Config } from '../../platform/config/config.js';
import { Public } from '../../platform/http/public.js';
import { csrfTokenOf, hasCsrfToken } from '../csrf.guard.js';
import { PageErrorFilter } from '../page-error.filter.js';
import { goTo, Pages, READER_POLICY } from '../pages.js';
import type { FormError } from '../views.js';
import { Visitors } from '../visitors.js';
import { newClient, wallabagAddress } from './new-client.js';
import { FOUND, LOGIN } from './wallabag-pages.controller.js';

const OUTDATED = [{ field: '', text: 'The form was out of date: send it again.' }];

/**
 * The pages on which wallabag's Android app creates its client, and on which other programs look for existing clients
 * (docs/decisions/0070).
 */
@Public()
@UseFilters(PageErrorFilter)
@Controller('wallabag')
export class DeveloperPagesController {
  // eslint-disable-next-line @typescript-eslint/max-params -- the container passes them, by their types
  constructor(
    private readonly pages: Pages,
    private readonly visitors: Visitors,
    private readonly clients: ClientsService,
    private readonly personalKeys: PersonalKeysService,
    private readonly config: Config,
  ) {}

  /**
   * Lists the clients without their secrets, because a secret is shown only once. A program that needs a secret creates
   * a new client.
   */
  @Get('developer')
  async list(@Req() request: Request, @Res() response: Response): Promise<void> {
    const user = await this.userOrLogin(request, response);
    if (user !== undefined) {
      const keys = await this.personalKeys.list(user.id);
      const clients = keys
        .filter(({ kind }) => kind === KeyKind.Client)
        .map(({ consumerKeyId: id, name }) => ({ id, name }));
      this.pages.show(response, 'wallabag/developer', { clients });
    }
  }

  @Get('developer/client/create')
  async ask(@Req() request: Request, @Res() response: Response): Promise<void> {
    if ((await this.userOrLogin(request, response)) !== undefined) {
      this.showForm(request, response, '');
    }
  }

  @Post('developer/client/create')
  async create(@Req() request: Request, @Res() response: Response): Promise<void> {
    const user = await this.userOrLogin(request, response);
    if (user === undefined) {
      return;
    }
    const name = textOf(objectIn(request.body, 'client'), 'name').trim();
    if (!hasCsrfToken(request)) {
      this.showForm(request, response, name, OUTDATED);
      return;
    }
    const address = wallabagAddress(request, this.config.publicUrl);
    const permissions = [...ALL_PERMISSIONS];
    const made = await newClient(this.clients, { user, name, permissions, address });
    if (Array.isArray(made)) {
      this.showForm(request, response, name, made);
    } else {
      this.pages.show(response, 'wallabag/client', made, { policy: READER_POLICY });
    }
  }

  /**
   * Returns the user. Without a user, redirects to the login page for wallabag's apps, because programs recognise only
   * the markup of this page.
   */
  private async userOrLogin(request: Request, response: Response): Promise<User | undefined> {
    const user = await this.visitors.find(request);
    if (user === undefined) {
      goTo(response, LOGIN, FOUND);
    }
    return user;
  }

  private showForm(
    request: Request,
    response: Response,
    name: string,
    errors: readonly FormError[] = [],
  ): void {
    const model = { csrfToken: csrfTokenOf(request), name, errors };
    const status = errors.length > 0 ? 400 : 200;
    this.pages.show(response, 'wallabag/create-client', model, { status });
  }
}
