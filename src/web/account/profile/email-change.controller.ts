import { Get, Post, Req, UseGuards } from '@nestjs/common';
import type { Request } from 'express';

import { EmailTakenError } from '../../../auth/auth.errors.js';
import { EmailChanges, type PendingChange } from '../../../auth/links/email-changes.js';
import { originOf } from '../../../auth/session/device.js';
import { AccountLimit } from '../../../auth/throttle-limits.js';
import { textOf } from '../../../platform/common/request-fields.js';
import { type Message, message } from '../../../platform/i18n/message.js';
import { ThrottledBy, ThrottleGuard } from '../../../platform/throttling/throttle.guard.js';
import { invalidLinkPage } from '../../login/invalid-link.js';
import { messagePage } from '../../message-page.js';
import { Page } from '../../page.js';
import { type ShownPage, Template } from '../../template.js';
import { ANY_FACTOR_STATE, Visitors } from '../../visitors.js';

const BACK = { href: '/account/profile', label: message('account.profile.title') };

interface ConfirmModel {
  /** The name and the present email address of the account. */
  readonly name: string;
  readonly present: string;
  /** The new email address. */
  readonly email: string;
  readonly token: string;
}

const confirmPage = new Template<ConfirmModel>('account/profile/email-change', {
  hasSecretAddress: true,
});

/**
 * The page that the link in a mail to a new address opens, also on a device that is not logged in. Only the form on this
 * page changes the address, because malware scanners also open the links in mails.
 */
@Page('auth/verify/email', { for: 'everyone' })
export class EmailChangeController {
  constructor(
    private readonly emails: EmailChanges,
    private readonly visitors: Visitors,
  ) {}

  @Get()
  @UseGuards(ThrottleGuard)
  @ThrottledBy([AccountLimit.LinkPerAddress])
  async ask(@Req() request: Request): Promise<ShownPage> {
    const token = textOf(request.query, 'token');
    try {
      const change = await this.emails.find(token);
      const { name, email: present } = change.user;
      return (await this.isOfOtherUser(request, change))
        ? refusal(message('account.email.otherUser'))
        : confirmPage.page({ name, present, email: change.email, token });
    } catch (error) {
      return invalidLinkPage(error, BACK);
    }
  }

  @Post()
  @UseGuards(ThrottleGuard)
  @ThrottledBy([AccountLimit.LinkPerAddress])
  async confirm(@Req() request: Request): Promise<ShownPage> {
    const token = textOf(request.body, 'token');
    try {
      if (await this.isOfOtherUser(request, await this.emails.find(token))) {
        return refusal(message('account.email.otherUser'));
      }
      return changedPage(await this.emails.confirm(token, originOf(request)));
    } catch (error) {
      return error instanceof EmailTakenError
        ? refusal(message('account.email.taken'))
        : invalidLinkPage(error, BACK);
    }
  }

  /** Returns true if the browser is logged in as another user than the one who requested the change. */
  private async isOfOtherUser(request: Request, { user }: PendingChange): Promise<boolean> {
    const visitor = await this.visitors.find(request, ANY_FACTOR_STATE);
    return visitor !== undefined && visitor.id !== user.id;
  }
}

const changedPage = (email: string): ShownPage =>
  messagePage.page(
    {
      heading: message('account.email.changedTitle'),
      text: message('account.email.changed', { email }),
      action: BACK,
    },
    { hasSecretAddress: true },
  );

const refusal = (text: Message): ShownPage =>
  messagePage.page(
    { heading: message('account.email.unchanged'), text, action: BACK },
    { status: 409, hasSecretAddress: true },
  );
