import { fileURLToPath } from 'node:url';

import { Injectable } from '@nestjs/common';
import { Eta } from 'eta';

import { isRightToLeft } from '../../lib/util/language-tag.js';
import { Config } from '../config/config.js';
import { addressIn } from '../http/own-address.js';
import type { DateStyle } from '../i18n/date-texts.js';
import type { Language } from '../i18n/languages.js';
import { type Message, message, plainText } from '../i18n/message.js';
import { translatorTo } from '../i18n/translator.js';
import type { Mail } from './mailer.js';

const VIEWS_FOLDER = fileURLToPath(new URL('./views', import.meta.url));

/** The address and the language of the person who gets a mail. */
export interface Recipient {
  readonly email: string;
  readonly language: Language;
}

/** A login about which the user gets a mail. */
interface NewLogin {
  readonly device: Message;
  readonly address: string;
  readonly at: Date;
  /** The time zone and the date format of the user. */
  readonly dates: DateStyle;
}

/** The account that is about to get the address of the recipient, and the path of the link that confirms it. */
interface NewAddress {
  readonly present: string;
  readonly path: string;
}

/** The new address of the recipient's account, and whether the recipient can change a password. */
interface RequestedAddress {
  readonly email: string;
  readonly hasPassword: boolean;
}

/** A change of security, with lines such as the time and the device. */
interface SecurityChange {
  readonly change: Message;
  readonly facts: readonly Message[];
  /** True if further changes of this kind cause no mail for now. */
  readonly isLast: boolean;
}

interface Content {
  readonly subject: Message;
  readonly paragraphs: readonly Message[];
  /** The main link in the mail. Undefined if the recipient has no account that could open a page. */
  readonly link?: Link;
  /** A second link. */
  readonly otherLink?: Link;
  /** The text of the mail after the link. */
  readonly closing?: Message;
}

/** A path of this service, and its label. */
interface Link {
  readonly path: string;
  readonly label: Message;
}

/**
 * Writes the mails of the service. Links in the mails start with PUBLIC_URL, never with the Host header of a request.
 */
@Injectable()
export class Mails {
  private readonly html = new Eta({ views: VIEWS_FOLDER, autoEscape: true, cache: true });
  private readonly text = new Eta({ views: VIEWS_FOLDER, autoEscape: false, cache: true });

  constructor(private readonly config: Config) {}

  invitation(to: Recipient, path: string): Mail {
    return this.write(to, {
      subject: message('mail.invitation.subject'),
      paragraphs: [message('mail.invitation.text', { email: to.email, address: this.address() })],
      link: { path, label: message('mail.invitation.link') },
      closing: message('mail.invitation.closing'),
    });
  }

  passwordReset(to: Recipient, path: string): Mail {
    return this.write(to, {
      subject: message('mail.passwordReset.subject'),
      paragraphs: [message('mail.passwordReset.text', { address: this.address() })],
      link: { path, label: message('mail.passwordReset.link') },
      closing: message('mail.passwordReset.closing'),
    });
  }

  emailVerification(to: Recipient, path: string): Mail {
    return this.write(to, {
      subject: message('mail.emailVerification.subject'),
      paragraphs: [message('mail.emailVerification.text', { address: this.address() })],
      link: { path, label: message('mail.emailVerification.link') },
      closing: message('mail.emailVerification.closing'),
    });
  }

  /** Writes the mail with the link that confirms the new email address of an account. */
  emailChange(to: Recipient, { present, path }: NewAddress): Mail {
    return this.write(to, {
      subject: message('mail.emailChange.subject'),
      // Omits the name of the account, because a stranger who gets the mail could take the text of a name for a text of
      // this service.
      paragraphs: [message('mail.emailChange.text', { email: present, address: this.address() })],
      link: { path, label: message('mail.emailChange.link') },
      closing: message('mail.emailChange.closing'),
    });
  }

  /** Writes the mail to the present address of an account that is about to get another address. */
  emailChangeRequested(to: Recipient, { email, hasPassword }: RequestedAddress): Mail {
    const advice = hasPassword
      ? message('mail.emailChangeRequested.advice')
      : message('mail.emailChangeRequested.adviceWithoutPassword');
    return this.write(to, {
      subject: message('mail.emailChangeRequested.subject'),
      paragraphs: [
        message('mail.emailChangeRequested.text', { address: this.address(), email }),
        advice,
      ],
      link: { path: '/account/security', label: message('mail.emailChangeRequested.link') },
    });
  }

  /** Writes the mail to the previous address of an account. */
  emailChanged(
    to: Recipient,
    { email, facts }: { readonly email: string; readonly facts: readonly Message[] },
  ): Mail {
    return this.write(to, {
      subject: message('mail.emailChanged.subject'),
      paragraphs: [
        message('mail.emailChanged.text', { address: this.address(), email }),
        ...facts,
        message('mail.emailChanged.advice'),
      ],
      link: { path: '/account/profile', label: message('mail.emailChanged.link') },
    });
  }

  /** Writes the mail about a change of security to the user of the account. */
  securityChange(
    to: Recipient,
    { change, facts, isLast, hasPassword }: SecurityChange & { readonly hasPassword: boolean },
  ): Mail {
    const advice = hasPassword
      ? message('mail.securityChange.advice')
      : message('mail.securityChange.adviceWithoutPassword');
    return this.write(to, {
      subject: message('mail.securityChange.subject', { change }),
      paragraphs: [
        message('mail.securityChange.text', { address: this.address() }),
        message('mail.securityChange.change', { change }),
        ...facts,
        advice,
        ...(isLast ? [message('mail.securityChange.last')] : []),
      ],
      link: { path: '/account/activity', label: message('audit.title') },
      otherLink: { path: '/account/security', label: message('mail.emailChangeRequested.link') },
    });
  }

  /** Writes the mail about the deletion of an account, or about a change shortly before the deletion. */
  changeOfDeletedAccount(to: Recipient, { change, facts }: Omit<SecurityChange, 'isLast'>): Mail {
    return this.write(to, {
      subject: message('mail.securityChange.subject', { change }),
      paragraphs: [
        message('mail.securityChange.text', { address: this.address() }),
        message('mail.securityChange.change', { change }),
        ...facts,
        message('mail.emailChanged.advice'),
      ],
    });
  }

  /** Writes the mail about a change that concerns the whole installation to an administrator. */
  administratorNotice(to: Recipient, { change, facts, isLast }: SecurityChange): Mail {
    return this.write(to, {
      subject: message('mail.securityChange.subject', { change }),
      paragraphs: [
        message('mail.securityChange.administrators', { address: this.address() }),
        message('mail.securityChange.change', { change }),
        ...facts,
        message('mail.securityChange.administratorsAdvice'),
        ...(isLast ? [message('mail.securityChange.last')] : []),
      ],
      link: { path: '/admin/audit', label: message('audit.logTitle') },
    });
  }

  /** Writes the mail to an administrator about a scheduled backup that has failed. */
  backupFailed(to: Recipient, reason: string): Mail {
    return this.write(to, {
      subject: message('mail.backupFailed.subject'),
      paragraphs: [
        message('mail.backupFailed.text', { address: this.address() }),
        plainText(reason),
        message('mail.backupFailed.advice'),
      ],
      link: { path: '/admin', label: message('mail.backupFailed.link') },
    });
  }

  newLogin(to: Recipient, { device, address, at, dates }: NewLogin): Mail {
    return this.write(to, {
      subject: message('mail.newLogin.subject'),
      paragraphs: [
        message('mail.newLogin.text', { address: this.address() }),
        message('mail.newLogin.device', { device }),
        address === ''
          ? message('mail.newLogin.unknownAddress')
          : message('mail.newLogin.address', { address }),
        message('mail.newLogin.time', {
          time: plainText(translatorTo(to.language).withDates(dates).date(at)),
        }),
        message('mail.newLogin.advice'),
      ],
      link: { path: '/account/security', label: message('mail.newLogin.link') },
    });
  }

  /**
   * Writes a mail to an e-reader. The text contains the name of the user who sends the mail, because the address may
   * belong to any person. `stopPath` is the path of the page that turns off the digest of a list. It is undefined for
   * other mails.
   */
  forEReader(
    to: Recipient,
    { name, email }: { readonly name: string; readonly email: string },
    stopPath?: string,
  ): Mail {
    const text = message('mail.eReader.text', { name, email, address: this.address() });
    const mail = {
      subject: message('mail.eReader.subject'),
      closing: message('mail.eReader.closing'),
    };
    if (stopPath === undefined) {
      const link = { path: '/account/e-reader', label: message('mail.eReader.link') };
      return this.write(to, { ...mail, paragraphs: [text], link });
    }
    const link = { path: stopPath, label: message('mail.listDigest.stop') };
    const paragraphs = [text, message('mail.listDigest.eReaderReason')];
    const unsubscribeUrl = `${this.address()}${stopPath}`;
    return { ...this.write(to, { ...mail, paragraphs, link }), unsubscribeUrl };
  }

  private write(
    { email: to, language }: Recipient,
    { subject, paragraphs, link, otherLink, closing }: Content,
  ): Mail {
    const { text } = translatorTo(language);
    const model = {
      language,
      direction: isRightToLeft(language) ? 'rtl' : 'ltr',
      subject: text(subject),
      paragraphs: paragraphs.map((one) => text(one)),
      links: [link, otherLink]
        .filter((one) => one !== undefined)
        .map(({ path, label }) => ({
          url: `${this.address()}${path}`,
          label: text(label),
        })),
      closing: closing === undefined ? '' : text(closing),
    };
    return {
      to,
      subject: model.subject,
      text: this.text.render('./mail-text', model),
      html: this.html.render('./mail-html', model),
    };
  }

  private address(): string {
    const { publicUrl } = this.config;
    if (publicUrl === undefined) {
      throw new Error('a mail needs PUBLIC_URL');
    }
    return addressIn(publicUrl);
  }
}
