import { Post, Req, UseGuards } from '@nestjs/common';
import type { Request } from 'express';

import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser } from '../../../auth/http/auth.guards.js';
import { EmailVerifications } from '../../../auth/links/email-verifications.js';
import { AccountLimit } from '../../../auth/throttle-limits.js';
import { type Answer, redirect } from '../../../platform/http/answer.js';
import { ThrottledBy, ThrottleGuard } from '../../../platform/throttling/throttle.guard.js';
import { SavedLists } from '../../../reading-list/saved-lists/saved-lists.service.js';
import { Page } from '../../page.js';
import { requestedList } from './requested-list.js';
import { editPath } from './shown-lists.js';

/** Confirms the email address to which a user wants digests. */
@Page('list/lists/digest')
export class ListDigestController {
  constructor(
    private readonly lists: SavedLists,
    private readonly verifications: EmailVerifications,
  ) {}

  /** Mails the link with which the user confirms the email address of the account. */
  @Post('confirm')
  @UseGuards(ThrottleGuard)
  @ThrottledBy([AccountLimit.MailPerAddress, AccountLimit.MailPerAccount])
  async confirm(
    @CurrentUser() { id, email, emailVerifiedAt }: User,
    @Req() { body }: Request,
  ): Promise<Answer> {
    const path = editPath(await requestedList(this.lists, id, body));
    if (emailVerifiedAt !== null) {
      return redirect(path);
    }
    this.verifications.request(email);
    return redirect(`${path}&done=digest-confirm`);
  }
}
