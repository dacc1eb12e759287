import { Controller, Get, Post, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';

import { EReaderMail } from '../../apis/e-reader-mail/e-reader-mail.service.js';
import { EReaderSettingsRepository } from '../../apis/e-reader-mail/e-reader-settings.repository.js';
import type { EReaderSettings } from '../../apis/e-reader-mail/entities/e-reader-settings.entity.js';
import { User } from '../../auth/entities/user.entity.js';
import { CurrentUser } from '../../auth/http/auth.guards.js';
import { EmailVerifications } from '../../auth/links/email-verifications.js';
import { AccountLimit } from '../../auth/throttle-limits.js';
import { Clock } from '../../platform/common/clock.js';
import { textOf } from '../../platform/common/request-fields.js';
import { Config } from '../../platform/config/config.js';
import { Public } from '../../platform/http/public.js';
import {
  clientNetwork,
  ThrottledBy,
  ThrottleGuard,
} from '../../platform/throttling/throttle.guard.js';
import { CsrfGuard, csrfTokenOf } from '../csrf.guard.js';
import { formErrorsOf } from '../forms.js';
import { PageErrorFilter } from '../page-error.filter.js';
import { goTo, Pages, READER_POLICY } from '../pages.js';
import type { FormError, Moment } from '../views.js';
import { VisitorGuard } from '../visitors.js';
import type { EReaderCard } from './account-views.js';
import { EReaderMailGuard, showUnconfirmed } from './e-reader-access.js';
import {
  choiceOf,
  EReaderForm,
  filledForm,
  sentForm,
  USUAL_FORM,
  WEEKDAYS,
} from './e-reader-form.js';
import { momentOf, noticeOf } from './view-models.js';

interface Visit {
  readonly user: User;
  readonly request: Request;
  readonly response: Response;
}

/** The page on which a user chooses the e-reader for articles, and the times of a digest (docs/use/e-readers.md). */
@Public()
@UseFilters(PageErrorFilter)
@UseGuards(EReaderMailGuard, VisitorGuard)
@Controller('account/e-reader')
export class EReaderPageController {
  // eslint-disable-next-line @typescript-eslint/max-params -- the container passes them, by their types
  constructor(
    private readonly pages: Pages,
    private readonly mail: EReaderMail,
    private readonly settings: EReaderSettingsRepository,
    private readonly verifications: EmailVerifications,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  @Get()
  async show(
    @CurrentUser() user: User,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.showForm({ user, request, response });
  }

  @Post()
  @UseGuards(CsrfGuard)
  async save(
    @CurrentUser() user: User,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const form = sentForm(request.body);
    const errors = await this.keep(user, form);
    if (errors.length > 0) {
      await this.showForm({ user, request, response }, form, errors);
      return;
    }
    goTo(response, `${PATH}?done=e-reader`);
  }

  @Post('test')
  @UseGuards(CsrfGuard)
  async test(
    @CurrentUser() { id: userId }: User,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    try {
      await this.mail.sendTest({ userId, clientNetwork: clientNetwork(request) });
    } catch (error) {
      showUnconfirmed(this.pages, response, error);
      return;
    }
    goTo(response, `${PATH}?done=e-reader-test`);
  }

  /** Mails the link with which the user confirms the email address of the account. */
  @Post('confirm')
  @UseGuards(CsrfGuard, ThrottleGuard)
  @ThrottledBy([AccountLimit.MailPerAddress, AccountLimit.MailPerAccount])
  confirm(@CurrentUser() { email, emailVerifiedAt }: User, @Res() response: Response): void {
    if (emailVerifiedAt === null) {
      this.verifications.request(email);
    }
    goTo(response, emailVerifiedAt === null ? `${PATH}?done=e-reader-confirm` : PATH);
  }

  @Post('delete')
  @UseGuards(CsrfGuard)
  async delete(@CurrentUser() { id: userId }: User, @Res() response: Response): Promise<void> {
    await this.settings.forget(userId);
    goTo(response, `${PATH}?done=e-reader-deleted`);
  }

  private async keep({ id }: User, form: EReaderForm): Promise<readonly FormError[]> {
    try {
      await this.settings.keep(id, choiceOf(form), this.clock.now());
      return [];
    } catch (error) {
      return formErrorsOf(error);
    }
  }

  private async showForm(
    { user, request, response }: Visit,
    sent?: EReaderForm,
    errors: readonly FormError[] = [],
  ): Promise<void> {
    const settings = await this.settings.of(user.id);
    const form = sent ?? (settings === undefined ? USUAL_FORM : filledForm(settings));
    const model = {
      csrfToken: csrfTokenOf(request),
      notice: noticeOf(textOf(request.query, 'done')),
      sender: addressIn(this.config.mail?.from ?? ''),
      unconfirmedEmail: unconfirmedEmailOf(user),
      card: settings && cardOf(settings),
      form,
      days: WEEKDAYS.map((label, at) => ({
        name: label.toLowerCase(),
        label,
        isChosen: form.weekdays.includes(at + 1),
      })),
      zones: zonesWith(form.zone),
      errors,
    };
    const status = errors.length > 0 ? 400 : 200;
    this.pages.show(response, 'account/e-reader-page', model, { status, policy: READER_POLICY });
  }
}

const PATH = '/account/e-reader';

/**
 * Returns the email address of a sender such as `Satchel <satchel@example.com>`. E-reader services ask for this
 * address.
 */
const addressIn = (sender: string): string => /<([^<>]+)>/.exec(sender)?.[1] ?? sender;

/**
 * Returns the time zones to choose from. Adds UTC and the zone of the user, because the list of the runtime contains
 * neither UTC nor alternative names of zones.
 */
const zonesWith = (chosen: string): readonly string[] => [
  ...new Set(['UTC', chosen, ...Intl.supportedValuesOf('timeZone')].filter((zone) => zone !== '')),
];

const unconfirmedEmailOf = ({ email, emailVerifiedAt }: User): string | undefined =>
  emailVerifiedAt === null ? email : undefined;

const cardOf = (settings: EReaderSettings): EReaderCard => ({
  nextDigest: inZone(settings.nextDigestAt, settings.timeZone),
  sent: outcome(settings.lastSentAt, settings.lastSent),
  failed:
    (settings.lastFailedAt?.getTime() ?? 0) > (settings.lastSentAt?.getTime() ?? 0)
      ? outcome(settings.lastFailedAt, settings.lastError)
      : undefined,
});

const outcome = (at: Date | null, text: string) =>
  at === null ? undefined : { at: momentOf(at), text };

function inZone(at: Date | null, timeZone: string): Moment | undefined {
  const format = new Intl.DateTimeFormat('en-GB', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'short',
  });
  return at === null ? undefined : { iso: at.toISOString(), text: format.format(at) };
}
