import { Injectable } from '@nestjs/common';
import type { Request } from 'express';

import { AccountsService } from '../../../auth/accounts.service.js';
import type { User } from '../../../auth/entities/user.entity.js';
import { ForwardAuth } from '../../../auth/external/forward-auth.js';
import { EmailChanges } from '../../../auth/links/email-changes.js';
import { RecentLogins } from '../../../auth/session/recent-logins.js';
import { textOf } from '../../../platform/common/request-fields.js';
import { requestLanguage } from '../../../platform/http/request-language.js';
import { DATE_FORMATS } from '../../../platform/i18n/date-texts.js';
import {
  type Language,
  languageName,
  LANGUAGES,
  type TextLanguage,
} from '../../../platform/i18n/languages.js';
import { type Message, message, plainText } from '../../../platform/i18n/message.js';
import { translatorTo } from '../../../platform/i18n/translator.js';
import type { FormError } from '../../forms.js';
import { pathTo } from '../../login/onward.js';
import { type ShownPage, Template } from '../../template.js';
import { zonesWith } from '../e-reader/e-reader.view.js';
import { noticeOf } from '../notices.js';

/** A date format as an option of the form. The label is a date in this format. */
interface FormatChoice {
  readonly value: string;
  readonly label: Message;
}

/** A language as an option of the form. The label is the name of the language in the language itself. */
interface LanguageChoice {
  readonly value: Language;
  readonly label: string;
}

/** The values of the forms of the page, as they are stored or as the user has typed them. */
interface ProfileForm {
  readonly name: string;
  /** The new email address. Empty until the user has typed one. */
  readonly email: string;
  readonly zone: string;
  readonly format: string;
  readonly language: string;
}

interface ProfileModel extends ProfileForm {
  readonly present: string;
  readonly isConfirmed: boolean;
  /** The new address, which waits for its confirmation. */
  readonly pending: string | undefined;
  readonly isMailed: boolean;
  /** True if a proxy logs the user in by the email address, so that the address cannot change here. */
  readonly isByProxy: boolean;
  readonly hasPassword: boolean;
  /** The page on which the user proves the identity before a change of the email address. Undefined if not needed. */
  readonly confirmHref: string | undefined;
  readonly zones: readonly string[];
  readonly formats: readonly FormatChoice[];
  readonly languages: readonly LanguageChoice[];
  readonly heading: Message;
  readonly errors: readonly FormError[];
  readonly notice: Message | undefined;
}

/** A rejected form: its heading, its errors, and the values that the user has typed. */
export interface RefusedForm {
  readonly heading: Message;
  readonly errors: readonly FormError[];
  readonly typed: Partial<ProfileForm>;
}

const CONFIRM = pathTo('/auth/confirm', { next: '/account/profile#email-heading' });

const template = new Template<ProfileModel>('account/profile/profile', { kind: 'reader' });

/** The date that shows the formats. Its day is greater than 12, so it cannot be mistaken for a month. */
const SAMPLE = new Date(Date.UTC(2026, 4, 31, 14, 5));

const formatChoices = (language: TextLanguage): FormatChoice[] =>
  DATE_FORMATS.map((dateFormat) => ({
    value: dateFormat,
    label: plainText(
      translatorTo(language).withDates({ timeZone: 'UTC', dateFormat }).date(SAMPLE),
    ),
  }));

const LANGUAGE_CHOICES: readonly LanguageChoice[] = LANGUAGES.map((language) => ({
  value: language,
  label: languageName(language),
}));

const storedForm = ({ name, timeZone, dateFormat, language }: User): ProfileForm => ({
  name,
  email: '',
  zone: timeZone ?? '',
  format: dateFormat ?? '',
  language: language ?? '',
});

/** Shows the page with the name, the email address, the language and the date format of a user. */
@Injectable()
export class ProfilePage {
  constructor(
    private readonly accounts: AccountsService,
    private readonly emails: EmailChanges,
    private readonly forwardAuth: ForwardAuth,
    private readonly logins: RecentLogins,
  ) {}

  /** Returns true if a proxy logs the user in by the email address. */
  isByProxy(request: Request): boolean {
    return (
      this.forwardAuth.isOn &&
      (request.session.loginBy === 'proxy' || this.forwardAuth.emailOf(request) !== undefined)
    );
  }

  async show(user: User, request: Request, refused?: RefusedForm): Promise<ShownPage> {
    const form = { ...storedForm(user), ...refused?.typed };
    const model = {
      ...form,
      present: user.email,
      isConfirmed: user.emailVerifiedAt !== null,
      pending: await this.emails.pendingOf(user),
      isMailed: this.emails.areMailed,
      isByProxy: this.isByProxy(request),
      hasPassword: this.accounts.hasPassword(user),
      confirmHref: (await this.logins.isDueBesidesPassword(request, user)) ? CONFIRM : undefined,
      zones: zonesWith(form.zone),
      formats: formatChoices(requestLanguage(request)),
      languages: LANGUAGE_CHOICES,
      heading: refused?.heading ?? message('account.profile.unchanged'),
      errors: refused?.errors ?? [],
      notice: noticeOf(textOf(request.query, 'done')),
    };
    return template.page(model, { status: refused === undefined ? 200 : 400 });
  }
}
