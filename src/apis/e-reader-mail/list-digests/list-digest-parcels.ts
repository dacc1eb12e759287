import { Injectable } from '@nestjs/common';

import { EPUB_TYPE } from '../../../articles/epub/epub.service.js';
import { withTemporaryFile } from '../../../lib/util/temporary-file.js';
import type { ListDigest } from '../../../reading-list/entities/list-digest.entity.js';
import { DigestBooks, digestTitle } from '../digest-books.js';
import { EReaderPost } from '../e-reader-post.js';
import { EReaderSettingsRepository } from '../e-reader-settings.repository.js';
import { DigestSkippedError, NO_E_READER } from './list-digest.errors.js';

interface DigestParcel {
  /** The title of the book. */
  readonly title: string;
  readonly day: string;
  readonly itemIds: readonly string[];
  readonly stopPath: string;
  /** Called when the book is complete. Returns false if it must not be sent any more. */
  readonly isWanted: () => Promise<boolean>;
}

/** Sends digests as books to the e-readers of users. The daily limits of mails to e-readers apply. */
@Injectable()
export class ListDigestParcels {
  constructor(
    private readonly post: EReaderPost,
    private readonly books: DigestBooks,
    private readonly settings: EReaderSettingsRepository,
  ) {}

  /**
   * Sends a digest and waits until the mail server has accepted it. Returns the items in the book, which are fewer than
   * the given ones if the book would be too large. Returns no items if the digest was not sent.
   *
   * @throws DigestSkippedError if the user has no e-reader, or if mail to e-readers is off
   * @throws AddressNotConfirmedError, EReaderLimitError, NotDeliveredError
   */
  async send(
    { userId }: ListDigest,
    { title, day, itemIds, stopPath, isWanted }: DigestParcel,
  ): Promise<readonly string[]> {
    const settings = this.post.isOn ? await this.settings.of(userId) : undefined;
    if (settings === undefined) {
      throw new DigestSkippedError(NO_E_READER);
    }
    if (!(await this.post.admit({ userId }))) {
      return [];
    }
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
        stopPath,
      };
      const isSent = (await isWanted()) && (await this.post.deliver(settings, parcel));
      return isSent ? included : [];
    });
  }
}
