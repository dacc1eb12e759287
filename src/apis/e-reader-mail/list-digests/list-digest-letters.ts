import { Injectable } from '@nestjs/common';

import { recipientOf } from '../../../auth/user-language.js';
import { cut, withoutControls } from '../../../lib/util/clean-text.js';
import { type DigestEntry, DigestMails } from '../../../platform/mail/digest-mails.js';
import { Mailer } from '../../../platform/mail/mailer.js';
import type { ItemRow } from '../../../reading-list/entities/item.entity.js';
import { minutesToRead } from '../../../reading-list/get/item.presenter.js';
import { resolvedTitleOf } from '../../../reading-list/get/page.presenter.js';
import { normalAddress } from '../../../reading-list/list/address.js';
import { AddressNotConfirmedError, FAILURES, NotDeliveredError } from '../e-reader-mail.errors.js';
import { DigestLinks, type LinkedDigest } from './digest-links.js';
import type { DigestItems } from './list-digest-contents.js';

const MAX_TITLE = 200;
const MAX_EXCERPT = 300;

/** Sends digests as readable mails to the confirmed email addresses of users. */
@Injectable()
export class ListDigestLetters {
  constructor(
    private readonly mails: DigestMails,
    private readonly mailer: Mailer,
    private readonly links: DigestLinks,
  ) {}

  get isOn(): boolean {
    return this.mailer.isOn;
  }

  /**
   * Sends a digest and waits until the mail server has accepted it. Returns the ids of its items.
   *
   * @throws AddressNotConfirmedError if the user has not confirmed the email address
   * @throws NotDeliveredError if the mail server does not accept the mail
   */
  async send(
    digest: LinkedDigest,
    { user, listName, rows }: DigestItems,
  ): Promise<readonly string[]> {
    if (user.emailVerifiedAt === null) {
      throw new AddressNotConfirmedError();
    }
    const mail = this.mails.digest(recipientOf(user), {
      listName,
      entries: rows.map(entryOf),
      settingsPath: `/list/lists/edit?id=${digest.listId}#digest`,
      stopPath: this.links.stopPathOf(digest),
    });
    const failure = await this.mailer.send(() => Promise.resolve(mail));
    if (failure !== undefined) {
      throw new NotDeliveredError(FAILURES[failure]);
    }
    return rows.map(({ item_id: itemId }) => itemId);
  }
}

function entryOf(row: ItemRow): DigestEntry {
  return {
    title: lineOf(resolvedTitleOf(row), MAX_TITLE) || lineOf(row.given_url, MAX_TITLE),
    path: `/read/${row.item_id}`,
    site: normalAddress(row.given_url)?.domain ?? '',
    minutes: row.is_article === 1 ? Math.max(1, minutesToRead(row.word_count)) : undefined,
    excerpt: lineOf(row.excerpt, MAX_EXCERPT),
  };
}

/** Returns a text on one line, without control characters, and not longer than `length`. */
function lineOf(text: string, length: number): string {
  const line = withoutControls(text.toWellFormed()).replaceAll(/\s+/g, ' ').trim();
  return line.length > length ? `${cut(line, length).trimEnd()}…` : line;
}
