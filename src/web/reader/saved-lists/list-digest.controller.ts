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
import type { ShownPage } from '../../template.js';
import { EditListPages } from './edit-list-pages.js';
import { digestErrorsOf, digestFormIn } from './list-digest-form.js';
import { ListDigestParts } from './list-digest-part.js';
import { requestedList } from './requested-list.js';
import { editListPage } from './saved-lists.view.js';
import { editPath } from './shown-lists.js';

/** Changes the digest of a list, and confirms the email address to which a user wants digests. */
@Page('list/lists/digest')
export class ListDigestController {
  constructor(
    private readonly lists: SavedLists,
    private readonly digests: ListDigestParts,
    private readonly pages: EditListPages,
    private readonly verifications: EmailVerifications,
  ) {}

  /** Changes the digest of a list, and turns it on or off. */
  @Post()
  async save(@CurrentUser() user: User, @Req() request: Request): Promise<ShownPage | Answer> {
    const list = await requestedList(this.lists, user.id, request.body);
    const form = digestFormIn(request.body);
    try {
      await this.digests.save(user, list, form);
      return redirect(`${editPath(list)}&done=digest-${form.digest ? 'on' : 'off'}`);
    } catch (error) {
      const refusedDigest = { form, errors: digestErrorsOf(error) };
      const model = await this.pages.of(list, { user, request, refusedDigest });
      return editListPage.page(model, { status: 400 });
    }
  }

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
