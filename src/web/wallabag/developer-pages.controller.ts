import { Get, Post, Req } from '@nestjs/common';
import type { Request } from 'express';

import { ClientsService } from '../../auth/consumers/clients.service.js';
import { KeyKind } from '../../auth/consumers/entities/consumer-key.entity.js';
import { ALL_PERMISSIONS } from '../../auth/consumers/permission.js';
import { PersonalKeysService } from '../../auth/consumers/personal-keys.service.js';
import { objectIn, textOf } from '../../platform/common/request-fields.js';
import { Config } from '../../platform/config/config.js';
import type { Answer } from '../../platform/http/answer.js';
import { ownAddress } from '../../platform/http/own-address.js';
import { message } from '../../platform/i18n/message.js';
import { type ApplicationCard, applicationCard } from '../account/application-card.js';
import { hasCsrfToken } from '../csrf.guard.js';
import { type FormError, formError } from '../forms.js';
import { keyErrorsOf } from '../key-errors.js';
import { RecentLoginGuard } from '../login/confirm/recent-login.guard.js';
import { Page } from '../page.js';
import { type ShownPage, Template } from '../template.js';
import { validDaysIn, type ValidityChoice, validityChoices } from '../validity.js';
import { Visitors } from '../visitors.js';
import { createClient } from './new-client.js';
import { TO_LOGIN } from './wallabag-pages.controller.js';

interface DeveloperModel {
  readonly clients: readonly ApplicationCard[];
}

/** The form that wallabag's Android app fills in to create a client. */
interface CreateClientModel {
  readonly name: string;
  readonly validities: readonly ValidityChoice[];
  readonly errors: readonly FormError[];
}

const developerPage = new Template<DeveloperModel>('wallabag/developer');
const createClientPage = new Template<CreateClientModel>('wallabag/create-client');

const OUTDATED = formError(message('wallabag.createClient.outdated'));

/**
 * The pages on which wallabag's Android app creates its client, and on which other programs look
 * for existing clients (docs/decisions/0070). Logged-out visitors are redirected to
 * /wallabag/login, because programs recognise only this login page.
 */
@Page('wallabag', { for: 'everyone', hasCsrfGuard: false })
export class DeveloperPagesController {
  // eslint-disable-next-line @typescript-eslint/max-params -- the container passes them, by their types
  constructor(
    private readonly visitors: Visitors,
    private readonly clients: ClientsService,
    private readonly personalKeys: PersonalKeysService,
    private readonly config: Config,
    private readonly recent: RecentLoginGuard,
  ) {}

  /**
   * Lists the clients without their secrets, because a secret is shown only once. A program that needs a secret creates
   * a new client.
   */
  @Get('developer')
  async list(@Req() request: Request): Promise<ShownPage | Answer> {
    const user = await this.visitors.find(request);
    if (user === undefined) {
      return TO_LOGIN;
    }
    const keys = await this.personalKeys.list(user.id);
    const clients = keys.filter(({ kind }) => kind === KeyKind.Client);
    return developerPage.page({ clients: clients.map(applicationCard) });
  }

  @Get('developer/client/create')
  async ask(@Req() request: Request): Promise<ShownPage | Answer> {
    const user = await this.visitors.find(request);
    if (user === undefined) {
      return TO_LOGIN;
    }
    await this.recent.require(request, user);
    return createClientPage.page({ name: '', validities: validityChoices(), errors: [] });
  }

  @Post('developer/client/create')
  async create(@Req() request: Request): Promise<ShownPage | Answer> {
    const user = await this.visitors.find(request);
    if (user === undefined) {
      return TO_LOGIN;
    }
    const name = textOf(objectIn(request.body, 'client'), 'name').trim();
    const validDays = validDaysIn(request.body);
    const refused = (errors: readonly FormError[]): ShownPage =>
      createClientPage.page(
        { name, validities: validityChoices(validDays), errors },
        { status: 400 },
      );
    if (!hasCsrfToken(request)) {
      return refused([OUTDATED]);
    }
    await this.recent.require(request, user);
    try {
      const details = { name, permissions: [...ALL_PERMISSIONS], validDays };
      const address = ownAddress(request, this.config.publicUrl);
      return await createClient(this.clients, user, details, address);
    } catch (error) {
      return refused(keyErrorsOf(error));
    }
  }
}
