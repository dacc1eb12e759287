import { Injectable } from '@nestjs/common';

import { Config } from '../../platform/config/config.js';
import { languageIn } from '../../platform/i18n/languages.js';
import { type Message, message, plainText } from '../../platform/i18n/message.js';
import { translatorTo } from '../../platform/i18n/translator.js';
import type { Mail } from '../../platform/mail/mailer.js';
import { Mails } from '../../platform/mail/mails.js';
import { Actor } from '../entities/audit-kinds.js';
import { Audience, type SecurityMail } from '../entities/security-mail.entity.js';
import { deviceName } from '../session/device.js';

/** Writes the mails about changes of security, in the language and the time zone of the recipient. */
@Injectable()
export class SecurityLetters {
  constructor(
    private readonly mails: Mails,
    private readonly config: Config,
  ) {}

  write(mail: SecurityMail): Mail {
    const to = { email: mail.email, language: languageIn(mail.language) };
    const { account = '', isLast = false } = mail.details;
    const facts = factsOf(mail);
    const content = { change: message(`audit.kinds.${mail.kind}`), facts, isLast };
    const letters: Readonly<Record<Audience, () => Mail>> = {
      [Audience.Owner]: () =>
        mail.userId === null
          ? this.mails.changeOfDeletedAccount(to, content)
          : this.mails.securityChange(to, { ...content, hasPassword: this.hasPassword(mail) }),
      [Audience.PreviousAddress]: () => this.mails.emailChanged(to, { email: account, facts }),
      [Audience.Administrators]: () =>
        this.mails.administratorNotice(to, {
          ...content,
          facts: [...accountIn(mail), ...facts],
        }),
    };
    return { ...letters[mail.audience](), id: mail.id };
  }

  private hasPassword({ hasPassword }: SecurityMail): boolean {
    return this.config.passwordLogin && hasPassword;
  }
}

const accountIn = ({ details: { account } }: SecurityMail): Message[] =>
  account === undefined ? [] : [message('mail.securityChange.account', { email: account })];

/** Returns the lines of a mail about a change: the name of a key, the client, the time and the actor. */
function factsOf(mail: SecurityMail): Message[] {
  const { device, address, actor, at } = mail;
  const { name, hasEndedAccess = false } = mail.details;
  const dates = translatorTo(languageIn(mail.language)).withDates(mail);
  return [
    ...(name === undefined ? [] : [message('mail.securityChange.name', { name })]),
    ...(hasEndedAccess ? [message('mail.securityChange.accessEnded')] : []),
    ...(device === '' ? [] : [message('mail.newLogin.device', { device: deviceName(device) })]),
    ...(address === '' ? [] : [message('mail.newLogin.address', { address })]),
    message('mail.newLogin.time', { time: plainText(dates.date(at)) }),
    ...(actor === Actor.User ? [] : [actorLine(actor)]),
  ];
}

const actorLine = (actor: Actor): Message =>
  message('mail.securityChange.actor', { actor: message(`audit.by.${actor}`) });
