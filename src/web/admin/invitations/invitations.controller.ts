import { Get, Post, Req, UseGuards } from '@nestjs/common';
import type { Request } from 'express';

import { EmailTakenError } from '../../../auth/auth.errors.js';
import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser } from '../../../auth/http/auth.guards.js';
import { Invitations, type IssuedInvitation } from '../../../auth/links/invitations.js';
import { textOf } from '../../../platform/common/request-fields.js';
import { Config } from '../../../platform/config/config.js';
import { type Answer, redirect } from '../../../platform/http/answer.js';
import { ownAddress } from '../../../platform/http/own-address.js';
import { type Message, message, plainText } from '../../../platform/i18n/message.js';
import { type FieldRules, type FormError, formErrorsOf } from '../../forms.js';
import { RecentLogin } from '../../login/confirm/recent-login.guard.js';
import { Page } from '../../page.js';
import { type ShownPage, Template } from '../../template.js';
import { adminNotice, type AdminPage, secretPage } from '../admin-pages.js';
import { AdministratorGuard } from '../administrator.guard.js';

const AT_INVITATIONS = { formPath: '/admin/invitations' };

interface InvitationsModel extends AdminPage {
  readonly email: string;
  readonly invitations: readonly {
    readonly id: string;
    readonly recipient: Message;
    readonly creator: Message;
    readonly expires: Date;
  }[];
}

const invitationsPage = new Template<InvitationsModel>('admin/invitations/invitations', {
  kind: 'reader',
});

/**
 * The page on which an administrator creates and revokes invitations. The page lists the invitations that are still
 * valid.
 */
@UseGuards(AdministratorGuard)
@Page('admin/invitations')
export class AdminInvitationsController {
  constructor(
    private readonly invitations: Invitations,
    private readonly config: Config,
  ) {}

  @Get()
  @RecentLogin()
  list(@Req() request: Request): Promise<ShownPage> {
    return this.showInvitations(request);
  }

  @Post()
  @RecentLogin()
  async make(@CurrentUser() by: User, @Req() request: Request): Promise<ShownPage> {
    try {
      const email = textOf(request.body, 'email').trim();
      const invitation = await this.invitations.make(email || undefined, by);
      return secretPage.page({
        heading: message('admin.invitations.issued.title'),
        text: instructionsFor(invitation),
        label: message('admin.link'),
        value: `${ownAddress(request, this.config.publicUrl)}${invitation.path}`,
        backHref: '/admin/invitations',
      });
    } catch (error) {
      return this.showInvitations(request, errorsOf(error));
    }
  }

  @Post('revoke')
  @RecentLogin(AT_INVITATIONS)
  async revoke(@CurrentUser() by: User, @Req() request: Request): Promise<Answer> {
    await this.invitations.revoke(textOf(request.body, 'invitation'), by);
    return redirect('/admin/invitations?done=revoked');
  }

  private async showInvitations(
    request: Request,
    errors: readonly FormError[] = [],
  ): Promise<ShownPage> {
    const invitations = await this.invitations.list();
    const model = {
      notice: adminNotice(request),
      errors,
      email: textOf(request.body, 'email'),
      invitations: invitations.map((invitation) => ({
        id: Invitations.idOf(invitation),
        recipient: emailOr(invitation.email, message('admin.invitations.anyone')),
        creator: emailOr(invitation.creator?.email, message('admin.invitations.noCreator')),
        expires: invitation.expiresAt,
      })),
    };
    return invitationsPage.page(model, { status: errors.length === 0 ? 200 : 400 });
  }
}

/** Returns the message that explains how the recipient gets the link of an invitation. */
function instructionsFor({ email, isMailed }: IssuedInvitation): Message {
  if (email === undefined) {
    return message('admin.invitations.issued.forAnyone');
  }
  return message(
    isMailed ? 'admin.invitations.issued.mailed' : 'admin.invitations.issued.forAddress',
    { email },
  );
}

const RULES: FieldRules = new Map([['email', message('account.email.invalid')]]);

/** Returns the reason why an invitation was not created. Rethrows unexpected errors. */
const errorsOf = (error: unknown): FormError[] =>
  error instanceof EmailTakenError
    ? [{ field: 'email', text: error.advice }]
    : formErrorsOf(error, RULES);

const emailOr = (email: string | null | undefined, other: Message): Message =>
  email === null || email === undefined ? other : plainText(email);
