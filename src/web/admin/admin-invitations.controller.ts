import { Controller, Get, Post, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';

import { EmailTakenError } from '../../auth/auth.errors.js';
import { User } from '../../auth/entities/user.entity.js';
import { CurrentUser } from '../../auth/http/auth.guards.js';
import { Invitations, type IssuedInvitation } from '../../auth/links/invitations.js';
import { textOf } from '../../platform/common/request-fields.js';
import { Config } from '../../platform/config/config.js';
import { ownAddress } from '../../platform/http/own-address.js';
import { Public } from '../../platform/http/public.js';
import { momentOf } from '../account/view-models.js';
import { CsrfGuard, csrfTokenOf } from '../csrf.guard.js';
import { formErrorsOf } from '../forms.js';
import { PageErrorFilter } from '../page-error.filter.js';
import { goTo, Pages, READER_POLICY } from '../pages.js';
import type { FormError } from '../views.js';
import { VisitorGuard } from '../visitors.js';
import { adminNotice } from './admin-models.js';
import { AdministratorGuard } from './administrator.guard.js';

/** The page on which an administrator creates and revokes invitations. It lists the invitations that still work. */
@Public()
@UseFilters(PageErrorFilter)
@UseGuards(VisitorGuard, AdministratorGuard)
@Controller('admin/invitations')
export class AdminInvitationsController {
  constructor(
    private readonly pages: Pages,
    private readonly invitations: Invitations,
    private readonly config: Config,
  ) {}

  @Get()
  async list(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.showInvitations(request, response);
  }

  @Post()
  @UseGuards(CsrfGuard)
  async make(
    @CurrentUser() by: User,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const made = await this.made(textOf(request.body, 'email').trim(), by);
    if (Array.isArray(made)) {
      await this.showInvitations(request, response, made);
      return;
    }
    const { path, email = 'one person', isMailed } = made;
    const model = {
      heading: 'An invitation',
      text: `${isMailed ? `A mail with this link is on its way to ${email}` : `Send this link to ${email}`}: one account can be created with it, within a week. It is shown only now.`,
      label: 'Link',
      value: `${ownAddress(request, this.config.publicUrl)}${path}`,
      backHref: '/admin/invitations',
    };
    this.pages.show(response, 'admin/secret', model, { policy: READER_POLICY });
  }

  @Post('revoke')
  @UseGuards(CsrfGuard)
  async revoke(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.invitations.revoke(textOf(request.body, 'invitation'));
    goTo(response, '/admin/invitations?done=revoked');
  }

  /** Creates and returns an invitation, or returns the errors of the form. */
  private async made(email: string, by: User): Promise<IssuedInvitation | FormError[]> {
    try {
      return await this.invitations.make(email || undefined, by);
    } catch (error) {
      return error instanceof EmailTakenError
        ? [{ field: 'email', text: error.message }]
        : formErrorsOf(error);
    }
  }

  private async showInvitations(
    request: Request,
    response: Response,
    errors: readonly FormError[] = [],
  ): Promise<void> {
    const invitations = await this.invitations.list();
    const model = {
      csrfToken: csrfTokenOf(request),
      notice: adminNotice(textOf(request.query, 'done')),
      errors,
      email: textOf(request.body, 'email'),
      invitations: invitations.map((invitation) => ({
        id: Invitations.idOf(invitation),
        recipient: invitation.email ?? 'Anyone with the link',
        madeBy: invitation.creator?.email ?? 'the command line, or a deleted account',
        expires: momentOf(invitation.expiresAt),
      })),
    };
    const status = errors.length === 0 ? 200 : 400;
    this.pages.show(response, 'admin/invitations', model, { status, policy: READER_POLICY });
  }
}
