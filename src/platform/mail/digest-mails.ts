import { fileURLToPath } from 'node:url';

import { Injectable } from '@nestjs/common';
import { Eta } from 'eta';

import { isRightToLeft } from '../../lib/util/language-tag.js';
import { Config } from '../config/config.js';
import { addressIn } from '../http/own-address.js';
import { type Message, message } from '../i18n/message.js';
import { translatorTo } from '../i18n/translator.js';
import type { Mail } from './mailer.js';
import type { Recipient } from './mails.js';

const VIEWS_FOLDER = fileURLToPath(new URL('./views', import.meta.url));

/** An item in the mail of a digest. All texts are on one line. */
export interface DigestEntry {
  readonly title: string;
  /** The path of the article in the reader. */
  readonly path: string;
  /** The host of the page. Empty if the address has none. */
  readonly site: string;
  /** The reading time in minutes. Undefined if the item is not an article. */
  readonly minutes: number | undefined;
  readonly excerpt: string;
}

/** The content of the mail of a digest. */
export interface DigestContent {
  readonly listName: string;
  readonly entries: readonly DigestEntry[];
  /** The path of the page on which the user changes the digest. */
  readonly settingsPath: string;
  /** The path of the page that turns off the digest without a login. */
  readonly stopPath: string;
}

type Translate = (text: Message) => string;

/** An entry with its address and the line about its site and its reading time. */
interface WrittenEntry extends DigestEntry {
  readonly url: string;
  readonly facts: string;
}

/**
 * Writes the mails with the items of a list. They contain no pictures and no addresses of other servers, so opening a
 * mail is not visible to anyone. Links start with PUBLIC_URL.
 */
@Injectable()
export class DigestMails {
  private readonly html = new Eta({ views: VIEWS_FOLDER, autoEscape: true, cache: true });

  constructor(private readonly config: Config) {}

  digest({ email: to, language }: Recipient, content: DigestContent): Mail {
    const { text } = translatorTo(language);
    const base = this.address();
    const { listName: name, stopPath, settingsPath } = content;
    const model = {
      language,
      direction: isRightToLeft(language) ? 'rtl' : 'ltr',
      subject: text(message('mail.listDigest.subject', { name, count: content.entries.length })),
      entries: content.entries.map((entry) => written(entry, base, text)),
      reason: text(message('mail.listDigest.reason', { name, address: base })),
      settings: { label: text(message('mail.listDigest.settings')), url: `${base}${settingsPath}` },
      stop: { label: text(message('mail.listDigest.stop')), url: `${base}${stopPath}` },
    };
    return {
      to,
      subject: model.subject,
      text: plainTextOf(model),
      html: this.html.render('./digest-html', model),
      unsubscribeUrl: model.stop.url,
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

function written(entry: DigestEntry, base: string, text: Translate): WrittenEntry {
  const { minutes } = entry;
  const time = minutes === undefined ? '' : text(message('list.item.minutes', { minutes }));
  const facts = [entry.site, time].filter((fact) => fact !== '').join(' · ');
  return { ...entry, facts, url: `${base}${entry.path}` };
}

interface LabeledUrl {
  readonly label: string;
  readonly url: string;
}

interface DigestText {
  readonly entries: readonly WrittenEntry[];
  readonly reason: string;
  readonly settings: LabeledUrl;
  readonly stop: LabeledUrl;
}

function plainTextOf({ entries, reason, settings, stop }: DigestText): string {
  const items = entries.map(({ title, facts, excerpt, url }) =>
    [title, facts, excerpt, url].filter((line) => line !== '').join('\n'),
  );
  const links = [settings, stop].map(({ label, url }) => `${label}:\n${url}`);
  // Mail programs hide the text after a line of two hyphens and a space, which begins a signature.
  return `${[...items, '---', reason, ...links].join('\n\n')}\n`;
}
