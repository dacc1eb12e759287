import { Injectable } from '@nestjs/common';

import { EPUB_TYPE } from '../../../articles/epub/epub.service.js';
import { withTemporaryFile } from '../../../lib/util/temporary-file.js';
import { DigestBooks, digestTitle } from '../digest-books.js';
import { EReaderPost } from '../e-reader-post.js';
import { EReaderSettingsRepository } from '../e-reader-settings.repository.js';
import { DigestLinks, type LinkedDigest } from './digest-links.js';
import { DigestSkippedError, NO_E_READER } from './list-digest.errors.js';
import type { DigestItems } from './list-digest-contents.js';

/** Sends digests as books to the e-readers of users. The daily limits of mails to e-readers apply. */
@Injectable()
export class ListDigestParcels {
  constructor(
    private readonly post: EReaderPost,
    private readonly books: DigestBooks,
    private readonly settings: EReaderSettingsRepository,
    private readonly links: DigestLinks,
  ) {}

  /**
   * Sends a digest and waits until the mail server has accepted it. Returns the ids of the items in the book, which are
   * fewer than the given ones if the book would be too large. Calls `isWanted` when the book is complete. If it returns
   * false, sends nothing and returns no ids.
   *
   * @throws DigestSkippedError if the user has no e-reader, or if mail to e-readers is off
   * @throws AddressNotConfirmedError, EReaderLimitError, NotDeliveredError
   */
  async send(
    { userId, listId }: LinkedDigest,
    { listName, day, rows }: DigestItems,
    isWanted: () => Promise<boolean>,
  ): Promise<readonly string[]> {
    const settings = this.post.isOn ? await this.settings.of(userId) : undefined;
    if (settings === undefined) {
      throw new DigestSkippedError(NO_E_READER);
    }
    if (!(await this.post.admit({ userId }))) {
      return [];
    }
    const itemIds = rows.map(({ item_id: itemId }) => itemId);
    const title = `${listName} ${day}`;
    return withTemporaryFile('satchel-digest-', async (file) => {
      const withText = new Set<string>();
      const onText = (itemId: string): void => void withText.add(itemId);
      const size = await this.books.write(file, userId, { itemIds, title, onText });
      const open = () => file.createReadStream({ start: 0, autoClose: false });
      const included = itemIds.slice(0, size);
      const parcel = {
        attachment: { name: `Satchel ${day}.epub`, contentType: EPUB_TYPE, open },
        title: digestTitle(size, itemIds.length),
        itemIds: included.filter((itemId) => withText.has(itemId)),
        stopPath: this.links.stopPathOf({ userId, listId }),
      };
      const isSent = (await isWanted()) && (await this.post.deliver(settings, parcel));
      return isSent ? included : [];
    });
  }
}
