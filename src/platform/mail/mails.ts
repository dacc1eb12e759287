import { fileURLToPath } from 'node:url';

import { Injectable } from '@nestjs/common';
import { Eta } from 'eta';

import { Config } from '../config/config.js';
import { addressIn } from '../http/own-address.js';
import type { Mail } from './mailer.js';

const VIEWS_FOLDER = fileURLToPath(new URL('./views', import.meta.url));

/** A login about which the user gets a mail. */
interface NewLogin {
  readonly device: string;
  readonly address: string;
  readonly at: Date;
}

interface Content {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** The link in the mail: a path of this service, and the label. */
  readonly link: { readonly path: string; readonly label: string };
  /** The text after the link. */
  readonly closing: string;
}

/** Uses UTC, because the service does not know the time zone of a user. */
const FORMAT = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
  timeZoneName: 'short',
});

/**
 * Writes the mails of the service. Links in the mails start with PUBLIC_URL, never with the Host header of a request.
 */
@Injectable()
export class Mails {
  private readonly html = new Eta({ views: VIEWS_FOLDER, autoEscape: true, cache: true });
  private readonly text = new Eta({ views: VIEWS_FOLDER, autoEscape: false, cache: true });

  constructor(private readonly config: Config) {}

  invitation(to: string, path: string): Mail {
    return this.write(to, {
      subject: 'You are invited to Satchel',
      paragraphs: [
        `You are invited to create an account for ${to} at ${this.address()}, where you can save pages to read them later.`,
      ],
      link: { path, label: 'Create your account' },
      closing: 'The link works once, within a week.',
    });
  }

  passwordReset(to: string, path: string): Mail {
    return this.write(to, {
      subject: 'A new password for Satchel',
      paragraphs: [`A new password was asked for, for your account at ${this.address()}.`],
      link: { path, label: 'Choose a new password' },
      closing:
        'The link works once, within an hour. If you did not ask for it, you need not do anything: your password stays as it is.',
    });
  }

  emailVerification(to: string, path: string): Mail {
    return this.write(to, {
      subject: 'Confirm your email address for Satchel',
      paragraphs: [
        `An account was created with this email address at ${this.address()}. Confirm that the address is yours.`,
      ],
      link: { path, label: 'Confirm the address' },
      closing:
        'The link works once, within a week. If you did not create the account, do not open it.',
    });
  }

  newLogin(to: string, { device, address, at }: NewLogin): Mail {
    return this.write(to, {
      subject: 'A new login to Satchel',
      paragraphs: [
        `There was a login to your account at ${this.address()} from a device or an address that was not seen before.`,
        `Device: ${device}`,
        `Address: ${address || 'unknown'}`,
        `Time: ${FORMAT.format(at)}`,
        'If it was you, you need not do anything. If not, end the session and change your password.',
      ],
      link: { path: '/account', label: 'Look at your sessions' },
      closing: '',
    });
  }

  /**
   * Writes a mail to an e-reader. The text contains the name of the user who sends the mail, because the address may
   * belong to any person.
   */
  forEReader(to: string, user: { readonly name: string; readonly email: string }): Mail {
    return this.write(to, {
      subject: 'From Satchel, for your e-reader',
      paragraphs: [
        `${user.name} (${user.email}) sends the attached file from ${this.address()} to this address as that of an e-reader.`,
      ],
      link: { path: '/account/e-reader', label: 'The settings of the sender' },
      closing:
        'If you have not asked for it, write to the sender, or to who runs the service: either can end it.',
    });
  }

  private write(to: string, { subject, link, ...content }: Content): Mail {
    const model = { subject, ...content, url: `${this.address()}${link.path}`, label: link.label };
    return {
      to,
      subject,
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
