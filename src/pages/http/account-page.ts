import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';

import type { User } from '../../auth/entities/user.entity.js';
import { GrantedApplicationsService } from '../../consumers/granted-applications.service.js';
import { ImportService } from '../../transfer/import.service.js';
import { cardOf, noticeOf, personOf } from '../account-view.js';
import { csrfTokenOf } from '../csrf.js';
import { textOf } from '../fields.js';
import { importCardOf } from '../import-view.js';
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
    private readonly imports: ImportService,
  ) {}

  async show({ user, request, response }: Visit, faults: readonly FormFault[] = []): Promise<void> {
    const [applications, imports] = await Promise.all([
      this.applications.list(user.id),
      this.imports.latest(user.id),
    ]);
    const model = {
      ...personOf(user),
      csrfToken: csrfTokenOf(request),
      notice: noticeOf(textOf(request.query, 'done')),
      applications: applications.map(cardOf),
      imports: imports.map(importCardOf),
      faults,
    };
    this.pages.show(response, 'account', model, { status: faults.length > 0 ? 400 : 200 });
  }
}
