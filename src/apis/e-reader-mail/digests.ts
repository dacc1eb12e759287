import type { FileHandle } from 'node:fs/promises';

import { Injectable } from '@nestjs/common';
import { Between } from 'typeorm';

import { EPUB_TYPE, EpubService } from '../../articles/epub/epub.service.js';
import { withTemporaryFile } from '../../lib/util/temporary-file.js';
import { Clock } from '../../platform/common/clock.js';
import { Database } from '../../platform/database/database.js';
import { type Message, message } from '../../platform/i18n/message.js';
import { MOST_ATTACHED_BYTES } from '../../platform/mail/mailer.js';
import type { ItemRow } from '../../reading-list/entities/item.entity.js';
import { List } from '../../reading-list/entities/list.entity.js';
import { ListReader } from '../../reading-list/get/list-reader.js';
import { ItemRepository } from '../../reading-list/list/item.repository.js';
import { dayIn } from './digest-times.js';
import { NotDeliveredError, TOO_LARGE } from './e-reader-mail.errors.js';
import { EReaderPost, PICTURE_BYTES } from './e-reader-post.js';
import { EReaderSettingsRepository } from './e-reader-settings.repository.js';
import type { EReaderSettings } from './entities/e-reader-settings.entity.js';

const ROWS_AT_ONCE = 10;

/** The unread items that a digest contains. */
interface Unread {
  readonly itemIds: readonly string[];
  readonly lastNumber: number;
}

interface DigestBook {
  readonly itemIds: readonly string[];
  readonly title: string;
  readonly onText: (itemId: string) => void;
}

/**
 * Mails the unread items of each user as one EPUB book, at the times that the user has chosen. Never sends a digest
 * twice (docs/decisions/0073).
 */
@Injectable()
export class Digests {
  // eslint-disable-next-line @typescript-eslint/max-params -- the container passes them, by their types
  constructor(
    private readonly post: EReaderPost,
    private readonly books: EpubService,
    private readonly items: ItemRepository,
    private readonly list: ListReader,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates and sends one digest that is due. If this fails, stores the reason, which the user can see. Returns false
   * if no digest is due or mail to e-readers is off.
   */
  async sendNext(): Promise<boolean> {
    if (!this.post.isOn) {
      return false;
    }
    const claimed = await this.database.transaction((manager) =>
      EReaderSettingsRepository.in(manager).claim(this.clock.now()),
    );
    if (claimed === undefined) {
      return false;
    }
    try {
      await this.send(claimed);
    } catch (error) {
      await this.post.noteFailed(claimed.userId, error);
    }
    return true;
  }

  private async send(settings: EReaderSettings): Promise<void> {
    const { userId, timeZone } = settings;
    const { itemIds, lastNumber } = await this.unread(settings);
    if (itemIds.length === 0) {
      return;
    }
    if (!(await this.post.admit({ userId }))) {
      return;
    }
    const day = dayIn(timeZone, this.clock.now());
    await withTemporaryFile('satchel-digest-', async (file) => {
      const title = `Satchel ${day}`;
      const withText = new Set<string>();
      const onText = (itemId: string): void => void withText.add(itemId);
      const size = await this.write(file, userId, { itemIds, title, onText });
      const open = () => file.createReadStream({ start: 0, autoClose: false });
      await this.post.deliver(settings, {
        attachment: { name: `${title}.epub`, contentType: EPUB_TYPE, open },
        title: digestTitle(size, itemIds.length),
        itemIds: itemIds.slice(0, size).filter((itemId) => withText.has(itemId)),
        lastNumber,
      });
    });
  }

  /**
   * Returns the unread items for a digest, newest first, and the highest item number in the list.
   * Reads the number before the items. Items that are added after this number was read belong to
   * the next digest of new items.
   */
  private async unread(settings: EReaderSettings): Promise<Unread> {
    const { userId, mostArticles, onlyNew, lastNumber: known } = settings;
    const list = await this.database.manager.findOneBy(List, { userId });
    if (list === null) {
      return { itemIds: [], lastNumber: known };
    }
    const { numbers: lastNumber } = list;
    if (!onlyNew) {
      const { rows } = await this.list.page(userId, {
        filter: { state: 'unread' },
        order: 'newest',
        page: { count: mostArticles, offset: 0 },
      });
      return { itemIds: rows.map(({ item_id: itemId }) => itemId), lastNumber };
    }
    const found = await this.items.find({
      select: { itemId: true, userId: true },
      where: { userId, status: 0, number: Between(known + 1, lastNumber) },
      order: { addedOrder: 'DESC', itemId: 'DESC' },
      take: mostArticles,
    });
    return { itemIds: found.map(({ itemId }) => itemId), lastNumber };
  }

  /**
   * Writes the book of a digest and returns the number of articles in the book. If the book is too large for a mail,
   * tries again with half of the articles. If a book with one article is too large, tries again with fewer pictures and
   * then without pictures.
   *
   * @throws NotDeliveredError if not even one article fits
   */
  private async write(
    file: FileHandle,
    userId: string,
    { itemIds, ...book }: DigestBook,
  ): Promise<number> {
    for (let size = itemIds.length; size > 0; size = Math.floor(size / 2)) {
      for (const pictureBytes of size === 1 ? PICTURE_BYTES : [undefined]) {
        const rows = this.rows(userId, itemIds.slice(0, size));
        if (
          await fits(
            file,
            this.books.stream(userId, rows, { ...book, pictureBytes, withUnfetched: true }),
          )
        ) {
          return size;
        }
      }
    }
    throw new NotDeliveredError(TOO_LARGE);
  }

  private async *rows(userId: string, itemIds: readonly string[]): AsyncGenerator<ItemRow> {
    for (let at = 0; at < itemIds.length; at += ROWS_AT_ONCE) {
      const ids = itemIds.slice(at, at + ROWS_AT_ONCE);
      const rows = await this.items.rowsById(userId, ids);
      yield* ids.map((id) => rows.get(id)).filter((row) => row !== undefined);
    }
  }
}

/** Returns the description of a digest for the settings page of the user. */
const digestTitle = (articles: number, all: number): Message =>
  articles === all
    ? message('eReader.attachment.digest', { count: articles })
    : message('eReader.attachment.partOfDigest', { articles, all });

/** Writes a book to a file. Returns false if the book is too large for a mail attachment. */
async function fits(file: FileHandle, book: AsyncIterable<Buffer>): Promise<boolean> {
  await file.truncate(0);
  let size = 0;
  for await (const chunk of book) {
    size += chunk.length;
    if (size > MOST_ATTACHED_BYTES) {
      return false;
    }
    await file.write(chunk, 0, chunk.length, size - chunk.length);
  }
  return true;
}
