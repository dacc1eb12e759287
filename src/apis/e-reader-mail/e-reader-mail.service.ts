import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';

import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import pLimit from 'p-limit';

import { EPUB_TYPE, type EpubFile, EpubService } from '../../articles/epub/epub.service.js';
import { ServiceBusyError } from '../../platform/common/common.errors.js';
import { message } from '../../platform/i18n/message.js';
import { MOST_ATTACHED_BYTES } from '../../platform/mail/mailer.js';
import type { ItemRow } from '../../reading-list/entities/item.entity.js';
import { resolvedTitleOf } from '../../reading-list/get/page.presenter.js';
import { ItemRepository } from '../../reading-list/list/item.repository.js';
import { ItemNotFoundError } from '../../reading-list/reading-list.errors.js';
import type { Sender } from './e-reader-limits.js';
import { NoEReaderError, NotDeliveredError, TOO_LARGE } from './e-reader-mail.errors.js';
import { EReaderPost, type Parcel, PICTURE_BYTES } from './e-reader-post.js';
import { EReaderSettingsRepository } from './e-reader-settings.repository.js';
import type { EReaderSettings } from './entities/e-reader-settings.entity.js';

/**
 * The number of books that are created at the same time. The number is 1, because users do not wait for a book and a
 * second book would increase the processor load.
 */
const MADE_AT_ONCE = 1;
const MOST_WAITING = 100;
/** The time in milliseconds that a shutdown waits for queued mails. */
const SHUTDOWN_MS = 5000;

/** An attempt to mail the article of one item. Attempts are numbered from 1. */
interface ArticleAttempt {
  readonly userId: string;
  readonly itemId: string;
  readonly attempts: number;
}

/** Mails single articles to e-readers. The methods `send…` queue a mail and return before the mail is sent. */
@Injectable()
export class EReaderMail implements BeforeApplicationShutdown {
  private readonly next = pLimit(MADE_AT_ONCE);
  private readonly open = new Set<Promise<void>>();

  constructor(
    private readonly post: EReaderPost,
    private readonly settings: EReaderSettingsRepository,
    private readonly items: ItemRepository,
    private readonly books: EpubService,
  ) {}

  get isOn(): boolean {
    return this.post.isOn;
  }

  /**
   * Returns the user's e-reader settings. Returns undefined if mail to e-readers is off or the user has saved no
   * address.
   */
  async settingsOf(userId: string): Promise<EReaderSettings | undefined> {
    return this.isOn ? this.settings.of(userId) : undefined;
  }

  /**
   * Queues a mail with the article of one item.
   *
   * @throws ItemNotFoundError, NoEReaderError, ServiceBusyError, AddressNotConfirmedError, EReaderLimitError
   */
  async sendArticle(sender: Sender, itemId: string): Promise<void> {
    const { userId } = sender;
    const row = await this.rowOf(userId, itemId);
    await this.begin(sender, () => this.article(userId, row));
  }

  /**
   * Mails the article of one item, and waits until the mail server has accepted it. Only the first attempt counts
   * against the daily limits. Calls `isWanted` when the book is complete, and sends nothing if it returns false.
   *
   * @throws ItemNotFoundError, NoEReaderError, AddressNotConfirmedError, EReaderLimitError, NotDeliveredError
   */
  async deliverArticle(
    { userId, itemId, attempts }: ArticleAttempt,
    isWanted: () => Promise<boolean>,
  ): Promise<void> {
    const row = await this.rowOf(userId, itemId);
    const settings = await this.requiredSettings(userId);
    if (attempts === 1 && !(await this.post.admit({ userId }))) {
      return;
    }
    const parcel = await this.next(() => this.article(userId, row));
    if (await isWanted()) {
      await this.post.deliver(settings, parcel);
    }
  }

  /**
   * Queues a short test mail to the e-reader.
   *
   * @throws NoEReaderError, ServiceBusyError, AddressNotConfirmedError, EReaderLimitError
   */
  async sendTest(sender: Sender): Promise<void> {
    await this.begin(sender, () => this.testParcel(sender.userId));
  }

  /** Resolves when no mail to an e-reader is queued or being sent. */
  async idle(): Promise<void> {
    while (this.open.size > 0) {
      await Promise.all(this.open);
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.race([Promise.all(this.open), pause(SHUTDOWN_MS, undefined, { ref: false })]);
  }

  private async begin(sender: Sender, make: () => Promise<Parcel>): Promise<void> {
    const settings = await this.requiredSettings(sender.userId);
    if (this.open.size >= MOST_WAITING) {
      throw new ServiceBusyError();
    }
    if (!(await this.post.admit(sender))) {
      return;
    }
    const done: Promise<void> = this.work(settings, make).finally(() => this.open.delete(done));
    this.open.add(done);
  }

  /** @throws NoEReaderError */
  private async requiredSettings(userId: string): Promise<EReaderSettings> {
    const settings = await this.settingsOf(userId);
    if (settings === undefined) {
      throw new NoEReaderError();
    }
    return settings;
  }

  /** @throws ItemNotFoundError */
  private async rowOf(userId: string, itemId: string): Promise<ItemRow> {
    const row = (await this.items.rowsById(userId, [itemId])).get(itemId);
    if (row === undefined) {
      throw new ItemNotFoundError();
    }
    return row;
  }

  private async work(settings: EReaderSettings, make: () => Promise<Parcel>): Promise<void> {
    try {
      await this.post.deliver(settings, await this.next(make));
    } catch (error) {
      await this.post.noteFailed(settings.userId, error);
    }
  }

  private async article(userId: string, row: ItemRow): Promise<Parcel> {
    const itemIds: string[] = [];
    const { name, bytes } = await this.fitting(userId, row, (itemId) => itemIds.push(itemId));
    const open = (): Readable => Readable.from([bytes]);
    return {
      attachment: { name: name.full, contentType: EPUB_TYPE, open },
      title: message('eReader.attachment.article', {
        title: resolvedTitleOf(row) || row.given_url,
      }),
      itemIds,
    };
  }

  private async testParcel(userId: string): Promise<Parcel> {
    const { text: translate } = await this.post.translatorFor(userId);
    const text = translate('eReader.testText');
    return {
      attachment: {
        name: 'Satchel test.txt',
        contentType: 'text/plain; charset=utf-8',
        open: () => Readable.from([Buffer.from(`${text}\n`)]),
      },
      title: message('eReader.attachment.test'),
      itemIds: [],
    };
  }

  /**
   * Returns the EPUB book of an item. If the book is too large for a mail, leaves out pictures.
   *
   * @throws NotDeliveredError if the book is too large even without pictures
   */
  private async fitting(
    userId: string,
    row: ItemRow,
    onText: (itemId: string) => void,
  ): Promise<EpubFile> {
    for (const pictureBytes of PICTURE_BYTES) {
      const book = await this.books.ofItem(userId, row, { pictureBytes, onText });
      if (book.bytes.length <= MOST_ATTACHED_BYTES) {
        return book;
      }
    }
    throw new NotDeliveredError(TOO_LARGE);
  }
}
