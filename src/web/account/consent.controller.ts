import { Controller, Get, Post, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';

import { InvalidCredentialsError } from '../../auth/auth.errors.js';
import type { User } from '../../auth/entities/user.entity.js';
import { AuthorizationsService } from '../../auth/oauth/authorizations.service.js';
import { redirectTarget, shownAddress } from '../../auth/oauth/redirect-uri.js';
import { Describes } from '../../platform/common/openapi.js';
import { textOf } from '../../platform/common/request-fields.js';
import { Public } from '../../platform/http/public.js';
import { CsrfGuard, csrfTokenOf } from '../csrf.guard.js';
import { PageErrorFilter } from '../page-error.filter.js';
import { goTo, LEAVING_POLICY, PAGE_POLICY, Pages } from '../pages.js';
import { permissionSentences } from '../permission-choices.js';
import type { Views } from '../views.js';
import { Visitors } from '../visitors.js';
import { type AuthorizationLink, linkIn, pathWith } from './authorization-link.js';
import { CONSENT_OPERATION } from './consent.openapi.js';
import {
  closedMessage,
  type ConsentRequest,
  ConsentRequests,
  type Message,
  othersMessage,
} from './consent-requests.js';

/** The consent page, on which a user answers an application's request for access (docs/api/oauth.md). */
@Public()
@UseFilters(PageErrorFilter)
@Controller()
export class ConsentController {
  constructor(
    private readonly pages: Pages,
    private readonly visitors: Visitors,
    private readonly requests: ConsentRequests,
    private readonly authorizations: AuthorizationsService,
  ) {}

  @Get('auth/authorize')
  @Describes(CONSENT_OPERATION)
  async ask(@Req() request: Request, @Res() response: Response): Promise<void> {
    const asked = await this.requests.find(linkIn(request.query));
    if ('heading' in asked) {
      this.tell(response, asked);
      return;
    }
    const user = await this.visitors.find(request);
    if (asked.status !== 'open') {
      const message = asked.answeredBy === user?.id ? closedMessage : othersMessage;
      this.tell(response, message(asked.status, asked.application.name));
      return;
    }
    if (user === undefined) {
      const isNew = textOf(request.query, 'force') === 'signup';
      goTo(response, pathWith(isNew ? '/auth/register' : '/auth/login', asked.link));
      return;
    }
    const model = consentView(asked, user, csrfTokenOf(request));
    const policy = model.destination === undefined ? PAGE_POLICY : LEAVING_POLICY;
    this.pages.show(response, 'consent', model, { policy });
  }

  /** Stores the answer. If the form is sent twice, both responses are the same. */
  @Post('auth/authorize')
  @UseGuards(CsrfGuard)
  async answer(@Req() request: Request, @Res() response: Response): Promise<void> {
    const asked = await this.requests.find(linkIn(request.body));
    if ('heading' in asked) {
      this.tell(response, asked);
      return;
    }
    const isAnswer = await this.isAnswer(request, asked.link);
    if (isAnswer === undefined) {
      goTo(response, pathWith('/auth/login', asked.link));
      return;
    }
    const target = isAnswer ? redirectTarget(asked.redirectUri) : undefined;
    if (target === undefined) {
      goTo(response, pathWith('/auth/authorize', asked.link));
    } else {
      response.redirect(303, target);
    }
  }

  /** Stores the answer. Returns true if the answer is accepted, and undefined if the visitor is not logged in. */
  private async isAnswer(
    request: Request,
    { requestToken }: AuthorizationLink,
  ): Promise<boolean | undefined> {
    const user = await this.visitors.find(request);
    const decision = textOf(request.body, 'decision') === 'authorized' ? 'authorized' : 'rejected';
    try {
      return user && (await this.authorizations.decide(requestToken, decision, user));
    } catch (error) {
      if (error instanceof InvalidCredentialsError) {
        return undefined;
      }
      throw error;
    }
  }

  private tell(response: Response, message: Message): void {
    this.pages.show(response, 'message', message, { status: message.status });
  }
}

function consentView(
  { link, application: { name, permissions }, redirectUri, isAddressOfLink }: ConsentRequest,
  { email }: User,
  csrfToken: string,
): Views['consent'] {
  const target = redirectTarget(redirectUri);
  return {
    csrfToken,
    link,
    application: { name, permissions: permissionSentences(permissions) },
    email,
    destination:
      target === undefined
        ? undefined
        : { address: shownAddress(target), isOfLink: isAddressOfLink },
  };
}
