import { Get, Post, Req } from '@nestjs/common';
import type { Request } from 'express';

import { InvalidCredentialsError } from '../../../auth/auth.errors.js';
import type { User } from '../../../auth/entities/user.entity.js';
import { AuthorizationsService } from '../../../auth/oauth/authorizations.service.js';
import { redirectTarget, shownAddress } from '../../../auth/oauth/redirect-uri.js';
import { Describes } from '../../../platform/common/openapi.js';
import { textOf } from '../../../platform/common/request-fields.js';
import { type Answer, redirect } from '../../../platform/http/answer.js';
import type { Message } from '../../../platform/i18n/message.js';
import { RecentLoginGuard } from '../../login/confirm/recent-login.guard.js';
import { Page } from '../../page.js';
import { permissionSentences } from '../../permission-choices.js';
import { ShownPage, Template } from '../../template.js';
import { Visitors } from '../../visitors.js';
import { type AuthorizationLink, linkIn, pathWith } from '../authorization-link.js';
import { CONSENT_OPERATION } from './consent.openapi.js';
import { closedPage, type ConsentRequest, ConsentRequests } from './consent-requests.js';

interface ConsentModel {
  readonly link: AuthorizationLink;
  readonly applicationName: string;
  readonly permissions: readonly Message[];
  readonly email: string;
  /**
   * The address that the browser is redirected to after the user's answer. Undefined if the person stays on this site.
   */
  readonly destination: { readonly address: string; readonly isOfLink: boolean } | undefined;
}

const consentPage = new Template<ConsentModel>('account/consent/consent');

/** The consent page, on which a user answers an application's request for access (docs/api/oauth.md). */
@Page('auth/authorize', { for: 'everyone' })
export class ConsentController {
  constructor(
    private readonly visitors: Visitors,
    private readonly requests: ConsentRequests,
    private readonly authorizations: AuthorizationsService,
    private readonly recent: RecentLoginGuard,
  ) {}

  @Get()
  @Describes(CONSENT_OPERATION)
  async ask(@Req() request: Request): Promise<ShownPage | Answer> {
    const asked = await this.requests.find(linkIn(request.query));
    if (asked instanceof ShownPage) {
      return asked;
    }
    const user = await this.visitors.find(request);
    if (asked.status !== 'open') {
      const isOfVisitor = asked.answeredBy === user?.id;
      return closedPage(asked.status, asked.application.name, isOfVisitor);
    }
    if (user === undefined) {
      const isNew = textOf(request.query, 'force') === 'signup';
      return redirect(pathWith(isNew ? '/auth/register' : '/auth/login', asked.link));
    }
    await this.recent.require(request, user, pathWith('/auth/authorize', asked.link));
    return askUser(asked, user);
  }

  /**
   * Stores the user's answer to the request for access. If a user sends the same answer twice, both responses are the
   * same.
   */
  @Post()
  async answer(@Req() request: Request): Promise<ShownPage | Answer> {
    const asked = await this.requests.find(linkIn(request.body));
    if (asked instanceof ShownPage) {
      return asked;
    }
    const isAnswer = await this.isAnswer(request, asked.link);
    if (isAnswer === undefined) {
      return redirect(pathWith('/auth/login', asked.link));
    }
    const target = isAnswer ? redirectTarget(asked.redirectUri) : undefined;
    return redirect(target ?? pathWith('/auth/authorize', asked.link));
  }

  /**
   * Stores the user's answer to the request for access. Returns true if this answer is stored, and false if the request
   * has expired or has another answer. Returns undefined if the visitor is not logged in.
   */
  private async isAnswer(request: Request, link: AuthorizationLink): Promise<boolean | undefined> {
    const user = await this.visitors.find(request);
    const decision = textOf(request.body, 'decision') === 'authorized' ? 'authorized' : 'rejected';
    if (user !== undefined && decision === 'authorized') {
      await this.recent.require(request, user, pathWith('/auth/authorize', link));
    }
    try {
      return user && (await this.authorizations.decide(link.requestToken, decision, user));
    } catch (error) {
      if (error instanceof InvalidCredentialsError) {
        return undefined;
      }
      throw error;
    }
  }
}

function askUser(
  { link, application: { name, permissions }, redirectUri, isAddressOfLink }: ConsentRequest,
  { email }: User,
): ShownPage {
  const target = redirectTarget(redirectUri);
  const destination =
    target === undefined ? undefined : { address: shownAddress(target), isOfLink: isAddressOfLink };
  return consentPage.page(
    {
      link,
      applicationName: name,
      permissions: permissionSentences(permissions),
      email,
      destination,
    },
    { kind: target === undefined ? 'static' : 'leaving' },
  );
}
