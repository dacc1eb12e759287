import { Get, Post, Req, UseGuards } from '@nestjs/common';
import type { Request } from 'express';

import { EReaderMail } from '../../../apis/e-reader-mail/e-reader-mail.service.js';
import { EReaderSettingsRepository } from '../../../apis/e-reader-mail/e-reader-settings.repository.js';
import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser } from '../../../auth/http/auth.guards.js';
import { EmailVerifications } from '../../../auth/links/email-verifications.js';
import { AccountLimit } from '../../../auth/throttle-limits.js';
import { Clock } from '../../../platform/common/clock.js';
import { textOf } from '../../../platform/common/request-fields.js';
import { Config } from '../../../platform/config/config.js';
import { type Answer, redirect } from '../../../platform/http/answer.js';
import {
  clientNetwork,
  ThrottledBy,
  ThrottleGuard,
} from '../../../platform/throttling/throttle.guard.js';
import type { FormError } from '../../forms.js';
import { RecentLoginGuard } from '../../login/confirm/recent-login.guard.js';
import { Page } from '../../page.js';
import type { ShownPage } from '../../template.js';
import { noticeOf } from '../notices.js';
import { dayChoices, eReaderCardOf, eReaderPage, zonesWith } from './e-reader.view.js';
import { EReaderMailGuard, unconfirmedPage } from './e-reader-access.js';
import {
  choiceOf,
  eReaderErrorsOf,
  type EReaderForm,
  sentForm,
  storedForm,
} from './e-reader-form.js';

const PATH = '/account/e-reader';

/** The page on which a user chooses the e-reader for articles, and the times of a digest (docs/use/e-readers.md). */
@Page('account/e-reader')
@UseGuards(EReaderMailGuard)
export class EReaderPageController {
  // eslint-disable-next-line @typescript-eslint/max-params -- the container passes them, by their types
  constructor(
    private readonly mail: EReaderMail,
    private readonly settings: EReaderSettingsRepository,
    private readonly verifications: EmailVerifications,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly recent: RecentLoginGuard,
  ) {}

  @Get()
  show(@CurrentUser() user: User, @Req() request: Request): Promise<ShownPage> {
    return this.showForm(user, request);
  }

  @Post()
  async save(@CurrentUser() user: User, @Req() request: Request): Promise<ShownPage | Answer> {
    const form = sentForm(request.body);
    await this.requireForAddress(user, request, form);
    const errors = await this.keep(user, form);
    return errors.length > 0
      ? this.showForm(user, request, form, errors)
      : redirect(`${PATH}?done=e-reader`);
  }

  @Post('test')
  async test(
    @CurrentUser() { id: userId }: User,
    @Req() request: Request,
  ): Promise<ShownPage | Answer> {
    try {
      await this.mail.sendTest({ userId, clientNetwork: clientNetwork(request) });
    } catch (error) {
      return unconfirmedPage(error);
    }
    return redirect(`${PATH}?done=e-reader-test`);
  }

  /** Mails the link with which the user confirms the email address of the account. */
  @Post('confirm')
  @UseGuards(ThrottleGuard)
  @ThrottledBy([AccountLimit.MailPerAddress, AccountLimit.MailPerAccount])
  confirm(@CurrentUser() { email, emailVerifiedAt }: User): Answer {
    if (emailVerifiedAt !== null) {
      return redirect(PATH);
    }
    this.verifications.request(email);
    return redirect(`${PATH}?done=e-reader-confirm`);
  }

  @Post('delete')
  async delete(@CurrentUser() { id: userId }: User): Promise<Answer> {
    await this.settings.forget(userId);
    return redirect(`${PATH}?done=e-reader-deleted`);
  }

  /** A new address needs a recent login, because the articles of the user are sent there. */
  private async requireForAddress(
    user: User,
    request: Request,
    { address }: EReaderForm,
  ): Promise<void> {
    const settings = await this.settings.of(user.id);
    if (settings?.address !== address) {
      await this.recent.require(request, user);
    }
  }

  private async keep({ id }: User, form: EReaderForm): Promise<readonly FormError[]> {
    try {
      await this.settings.keep(id, choiceOf(form), this.clock.now());
      return [];
    } catch (error) {
      return eReaderErrorsOf(error);
    }
  }

  private async showForm(
    { id, email, emailVerifiedAt, timeZone }: User,
    { query }: Request,
    sent?: EReaderForm,
    errors: readonly FormError[] = [],
  ): Promise<ShownPage> {
    const settings = await this.settings.of(id);
    const form = sent ?? storedForm(settings, timeZone);
    const model = {
      notice: noticeOf(textOf(query, 'done')),
      sender: addressIn(this.config.mail?.from ?? ''),
      unconfirmedEmail: emailVerifiedAt === null ? email : undefined,
      card: settings && eReaderCardOf(settings),
      form,
      days: dayChoices(form),
      zones: zonesWith(form.zone),
      errors,
    };
    return eReaderPage.page(model, { status: errors.length > 0 ? 400 : 200 });
  }
}

/**
 * Returns the email address from a sender such as `Satchel <satchel@example.com>`. Users enter this email address in
 * the settings of their e-reader service.
 */
const addressIn = (sender: string): string => /<([^<>]+)>/.exec(sender)?.[1] ?? sender;
