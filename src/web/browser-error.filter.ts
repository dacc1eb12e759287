import { Catch, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';

import { DomainErrorFilter } from '../platform/http/domain-error.filter.js';
import type { ErrorReport } from '../platform/http/error-report.js';
import { isApiPath } from '../platform/http/protocols.js';
import { ErrorPages } from './error-pages.js';

/**
 * Handles the errors of all addresses that are not web pages, such as an unknown address. A person who opens such an
 * address in a browser gets a page. Clients of APIs get the error in the format of their API.
 */
@Catch()
@Injectable()
export class BrowserErrorFilter extends DomainErrorFilter {
  constructor(private readonly errors: ErrorPages) {
    super();
  }

  protected override answer(response: Response, error: ErrorReport, request: Request): void {
    if (!isOpenedByPerson(request)) {
      super.answer(response, error, request);
      return;
    }
    void this.errors.show(error, request, response).catch(() => {
      super.answer(response, error, request);
    });
  }
}

/** Returns true if a browser opens the address of the request. Clients of APIs accept JSON, or do not send `Accept`. */
const isOpenedByPerson = (request: Request): boolean =>
  ['GET', 'HEAD'].includes(request.method) &&
  !isApiPath(request.path) &&
  request.accepts(['json', 'html']) === 'html';
