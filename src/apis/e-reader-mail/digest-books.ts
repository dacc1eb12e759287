import type { FileHandle } from 'node:fs/promises';

import { Injectable } from '@nestjs/common';

import { EpubService } from '../../articles/epub/epub.service.js';
import { type Message, message } from '../../platform/i18n/message.js';
import { MOST_ATTACHED_BYTES } from '../../platform/mail/mailer.js';
import type { ItemRow } from '../../reading-list/entities/item.entity.js';
import { ItemRepository } from '../../reading-list/list/item.repository.js';
import { NotDeliveredError, TOO_LARGE } from './e-reader-mail.errors.js';
import { PICTURE_BYTES } from './e-reader-post.js';

const ROWS_AT_ONCE = 10;

interface DigestBook {
  readonly itemIds: readonly string[];
  readonly title: string;
  readonly onText: (itemId: string) => void;
}

/** Writes the books of digests, so that each book fits into a mail. */
@Injectable()
export class DigestBooks {
  constructor(
    private readonly books: EpubService,
    private readonly items: ItemRepository,
  ) {}

  /**
   * Writes the book of a digest and returns the number of articles in the book. If the book is too large for a mail,
   * tries again with half of the articles. If a book with one article is too large, tries again with fewer pictures and
   * then without pictures.
   *
   * @throws NotDeliveredError if not even one article fits
   */
  async write(file: FileHandle, userId: string, { itemIds, ...book }: DigestBook): Promise<number> {
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
export const digestTitle = (articles: number, all: number): Message =>
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
