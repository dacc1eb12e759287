import { Injectable } from '@nestjs/common';
import { Between } from 'typeorm';

import { EPUB_TYPE } from '../../articles/epub/epub.service.js';
import { withTemporaryFile } from '../../lib/util/temporary-file.js';
import { Clock } from '../../platform/common/clock.js';
import { Database } from '../../platform/database/database.js';
import { List } from '../../reading-list/entities/list.entity.js';
import { ListReader } from '../../reading-list/get/list-reader.js';
import { ItemRepository } from '../../reading-list/list/item.repository.js';
import { DigestBooks, digestTitle } from './digest-books.js';
import { dayIn } from './digest-times.js';
import { EReaderPost } from './e-reader-post.js';
import { EReaderSettingsRepository } from './e-reader-settings.repository.js';
import type { EReaderSettings } from './entities/e-reader-settings.entity.js';

/** The unread items that a digest contains. */
interface Unread {
  readonly itemIds: readonly string[];
  readonly lastNumber: number;
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
    private readonly books: DigestBooks,
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
      const size = await this.books.write(file, userId, { itemIds, title, onText });
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
}
