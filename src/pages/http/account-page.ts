import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';

import type { User } from '../../auth/entities/user.entity.js';
import { GrantedApplicationsService } from '../../consumers/granted-applications.service.js';
import { cardOf, noticeOf, personOf } from '../account-view.js';
import { csrfTokenOf } from '../csrf.js';
import { textOf } from '../fields.js';
import type { FormFault } from '../views.js';
import { Pages } from './pages.js';

interface Visit {
  readonly user: User;
  readonly request: Request;
  readonly response: Response;
}

/** The account page, which the forms on it show again where they are not taken. */
@Injectable()
export class AccountPage {
  constructor(
    private readonly pages: Pages,
    private readonly applications: GrantedApplicationsService,
  ) {}

  async show({ user, request, response }: Visit, faults: readonly FormFault[] = []): Promise<void> {
    const applications = await this.applications.list(user.id);
    const model = {
      ...personOf(user),
      csrfToken: csrfTokenOf(request),
      notice: noticeOf(textOf(request.query, 'done')),
      applications: applications.map(cardOf),
      faults,
    };
    this.pages.show(response, 'account', model, { status: faults.length > 0 ? 400 : 200 });
  }
}
