import {
  applyDecorators,
  type CallHandler,
  Controller,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  UseFilters,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { map, type Observable } from 'rxjs';

import { Public } from '../platform/http/public.js';
import { CsrfGuard } from './csrf.guard.js';
import { PageErrorFilter } from './page-error.filter.js';
import { Pages } from './pages.js';
import { ShownPage } from './template.js';
import { VisitorGuard } from './visitors.js';

interface PageOptions {
  /**
   * The visitors who can open the page. The default is `users`: the page redirects visitors to the login page if they
   * are not logged in.
   */
  readonly for?: 'users' | 'everyone';
  /** False if the handlers check the CSRF token themselves, without CsrfGuard. */
  readonly hasCsrfGuard?: boolean;
}

/** Renders the page that a handler returns. Sends any other result of a handler unchanged. */
@Injectable()
class PageInterceptor implements NestInterceptor {
  constructor(private readonly pages: Pages) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const request = context.switchToHttp().getRequest<Request>();
    const response = context.switchToHttp().getResponse<Response>();
    return next
      .handle()
      .pipe(
        map((result) =>
          result instanceof ShownPage ? this.pages.render(result, request, response) : result,
        ),
      );
  }
}

/**
 * Declares a controller of web pages. Handlers return `template.page(model)`, `redirect(path)` or `json(value)`.
 * Accepts forms only with the CSRF token of the session, and shows errors as pages.
 */
export const Page = (
  path = '',
  { for: visitors = 'users', hasCsrfGuard = true }: PageOptions = {},
): ClassDecorator =>
  applyDecorators(
    Controller(path),
    Public(),
    UseFilters(PageErrorFilter),
    UseInterceptors(PageInterceptor),
    // The login check must come before the CSRF check. After the end of a session, a script then
    // gets the error for an ended session (401), not the error for an outdated form.
    ...(visitors === 'users' ? [UseGuards(VisitorGuard)] : []),
    ...(hasCsrfGuard ? [UseGuards(CsrfGuard)] : []),
  );
