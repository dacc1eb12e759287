import { Injectable, Logger } from '@nestjs/common';

import type { User } from '../../auth/entities/user.entity.js';
import { UserRepository } from '../../auth/user.repository.js';
import { languageOfUser, recipientOf } from '../../auth/user-language.js';
import { Clock } from '../../platform/common/clock.js';
import { Config } from '../../platform/config/config.js';
import type { Message } from '../../platform/i18n/message.js';
import { english, type Translator, translatorTo } from '../../platform/i18n/translator.js';
import { type Attachment, Mailer, MOST_ATTACHED_BYTES } from '../../platform/mail/mailer.js';
import { Mails } from '../../platform/mail/mails.js';
import { SendService } from '../../reading-list/send/send.service.js';
import { EReaderLimits, type Sender } from './e-reader-limits.js';
import {
  AddressNotConfirmedError,
  FAILURES,
  NotDeliveredError,
  sentenceFor,
  UNKNOWN_FAILURE,
} from './e-reader-mail.errors.js';
import { EReaderSettingsRepository } from './e-reader-settings.repository.js';
import type { EReaderSettings } from './entities/e-reader-settings.entity.js';

const ARCHIVED_AT_ONCE = 100;

/**
 * Limits in bytes for the pictures of a book: no limit, 90% of the maximum attachment size, and no pictures. The limits
 * are tried in this order until the book fits into a mail.
 */
export const PICTURE_BYTES = [undefined, Math.floor(0.9 * MOST_ATTACHED_BYTES), 0] as const;

/** A book or file that is mailed to an e-reader. */
export interface Parcel {
  readonly attachment: Attachment;
  /** Describes the attachment on the user's settings page. */
  readonly title: Message;
  /**
   * The items whose full text is in the attachment. After the mail is sent, only these items are
   * archived, if the user has enabled archiving.
   */
  readonly itemIds: readonly string[];
  /**
   * The highest item number in the user's list when the digest was created. The next digest of new items contains items
   * with higher numbers. Undefined if the mail is not a digest.
   */
  readonly lastNumber?: number;
  /** The path of the page that turns off the digest of a list. Undefined if the mail is not such a digest. */
  readonly stopPath?: string;
}

/** An e-reader and its user. */
type Recipient = Pick<EReaderSettings, 'userId' | 'address'>;

/**
 * Mails files to the e-readers of users whose email address is confirmed. Enforces the daily limits for mails to
 * e-readers. Stores the result of each mail, which the settings page of the user shows.
 */
@Injectable()
export class EReaderPost {
  private readonly logger = new Logger(EReaderPost.name);

  // eslint-disable-next-line @typescript-eslint/max-params -- the container passes them, by their types
  constructor(
    private readonly settings: EReaderSettingsRepository,
    private readonly users: UserRepository,
    private readonly mailer: Mailer,
    private readonly mails: Mails,
    private readonly limits: EReaderLimits,
    private readonly sending: SendService,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** False if mail to e-readers is off, or if the operator has configured no mail server. */
  get isOn(): boolean {
    return this.mailer.isOn && this.config.mail?.hasEReaderMail === true;
  }

  /**
   * Counts a mail against the daily limits. Must be called before the attachment is created.
   * Returns false if the account is disabled or deleted.
   *
   * @throws AddressNotConfirmedError, EReaderLimitError; a refused mail is not counted
   */
  async admit(sender: Sender): Promise<boolean> {
    const user = await this.enabled(sender.userId);
    if (user === undefined) {
      return false;
    }
    requireConfirmed(user);
    await this.limits.count(sender);
    return true;
  }

  /**
   * Sends a mail and waits until the mail server has accepted it. Then archives the mailed items,
   * if the user has enabled archiving. Sends nothing and returns false if, since the mail was queued, the account was
   * disabled or the e-reader's address or the digest schedule was removed.
   *
   * @throws NotDeliveredError if the mail server does not accept the mail
   * @throws AddressNotConfirmedError if the account has a new, unconfirmed address
   */
  async deliver({ userId, address }: Recipient, parcel: Parcel): Promise<boolean> {
    const { attachment, lastNumber, stopPath } = parcel;
    const [settings, user] = await Promise.all([this.settings.of(userId), this.enabled(userId)]);
    const isDigest = lastNumber !== undefined;
    if (user === undefined || settings?.address !== address || !this.wants(settings, isDigest)) {
      return false;
    }
    requireConfirmed(user);
    const to = recipientOf(user, address);
    const mail = { ...this.mails.forEReader(to, user, stopPath), attachment };
    const failure = await this.mailer.send(() => Promise.resolve(mail));
    if (failure !== undefined) {
      throw new NotDeliveredError(FAILURES[failure]);
    }
    await this.noteSent(settings, user, parcel);
    return true;
  }

  /**
   * Stores the description of a sent mail, and archives its items. Never throws an error, because a caller that tries
   * again would send the mail twice.
   */
  private async noteSent(
    { userId, archives }: EReaderSettings,
    user: User,
    { title, itemIds, lastNumber }: Parcel,
  ): Promise<void> {
    const lastSent = translatorTo(languageOfUser(user)).text(title);
    const sent = { lastSent, ...(lastNumber !== undefined && { lastNumber }) };
    try {
      await this.settings.noteSent(userId, sent, this.clock.now());
      await this.archive(userId, archives ? itemIds : []);
    } catch (error) {
      this.logger.warn(error);
    }
  }

  /**
   * Stores the reason why a mail was not sent, for the user to see. If only the operator can understand the error, logs
   * the error too. Never throws an error.
   */
  async noteFailed(userId: string, error: unknown): Promise<void> {
    const sentence = sentenceFor(error);
    if (sentence === undefined) {
      this.logger.warn(error);
    }
    try {
      const translator = await this.translatorFor(userId);
      const reason = translator.text(sentence ?? UNKNOWN_FAILURE);
      await this.settings.noteFailed(userId, reason, this.clock.now());
    } catch (failure) {
      this.logger.warn(failure);
    }
  }

  /** Returns the translator to the language of a user. */
  async translatorFor(userId: string): Promise<Translator> {
    const user = await this.users.findOneBy({ id: userId });
    return user === null ? english : translatorTo(languageOfUser(user));
  }

  private wants({ nextDigestAt }: EReaderSettings, isDigest: boolean): boolean {
    return this.isOn && (!isDigest || nextDigestAt !== null);
  }

  private async enabled(userId: string): Promise<User | undefined> {
    const user = await this.users.findOneBy({ id: userId });
    return user?.disabledAt === null ? user : undefined;
  }

  private async archive(userId: string, itemIds: readonly string[]): Promise<void> {
    for (let at = 0; at < itemIds.length; at += ARCHIVED_AT_ONCE) {
      const actions = itemIds
        .slice(at, at + ARCHIVED_AT_ONCE)
        .map((itemId) => ({ action: 'archive', item_id: itemId }));
      await this.sending.send(userId, actions, false);
    }
  }
}

function requireConfirmed({ emailVerifiedAt }: User): void {
  if (emailVerifiedAt === null) {
    throw new AddressNotConfirmedError();
  }
}
