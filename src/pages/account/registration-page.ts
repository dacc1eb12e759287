import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';

import { textOf } from '../../common/parse-request.js';
import { AuthorizationsService } from '../../oauth/authorizations.service.js';
import { csrfTokenOf } from '../csrf.guard.js';
import { Pages } from '../pages.js';
import type { FormError } from '../views.js';
import { type Onward, pathTo } from './onward.js';

interface RegistrationVisit {
  readonly request: Request;
  readonly response: Response;
  readonly onward: Onward;
  readonly errors?: readonly FormError[];
  readonly status?: number;
}

/** The page on which a person creates an account; what was typed stays, but for the password. */
@Injectable()
export class RegistrationPage {
  constructor(
    private readonly pages: Pages,
    private readonly authorizations: AuthorizationsService,
  ) {}

  async show({ request, response, onward, ...visit }: RegistrationVisit): Promise<void> {
    const { errors = [], status = 200 } = visit;
    const { link, next } = onward;
    const fields: unknown = request.method === 'POST' ? request.body : request.query;
    const model = {
      csrfToken: csrfTokenOf(request),
      link,
      next,
      applicationName:
        link && (await this.authorizations.find(link.requestToken))?.application.name,
      name: textOf(fields, 'name'),
      email: textOf(fields, 'email'),
      errors,
      signInHref: pathTo('/auth/login', onward),
    };
    this.pages.show(response, 'register', model, { status });
  }
}
