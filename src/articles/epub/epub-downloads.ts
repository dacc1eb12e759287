import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import pLimit from 'p-limit';

import { KeyedQueue, ONE_CALL } from '../../platform/jobs/keyed-queue.js';
import type { ItemRow } from '../../reading-list/entities/item.entity.js';
import { BookUnderWayError } from '../articles.errors.js';
import { titleOf } from './chapter.js';
import { articleName, type EpubFile, EpubService } from './epub.service.js';
import { sendEpub, setEpubHeaders, streamEpub } from './epub-answers.js';
import { epubName } from './file-name.js';

/**
 * Limits for one user's downloads of books with a single article. The limits are necessary because each book is in
 * memory until it is sent, and e-readers request several books in advance.
 */
const ARTICLES_OF_USER = { concurrency: 2, maxCalls: 10 };
/**
 * The maximum number of books with a single article that are created at the same time for all users. A finished book no
 * longer counts toward this number, so a slow download does not block other users.
 */
const ARTICLES_AT_ONCE = 4;
/**
 * The maximum number of books with many articles that are written at the same time. Each book keeps only one chapter in
 * memory, and is written only as fast as its client receives it.
 */
const COLLECTIONS_AT_ONCE = 8;
const ALL_COLLECTIONS = { concurrency: COLLECTIONS_AT_ONCE, maxCalls: COLLECTIONS_AT_ONCE };
/** Each user can create one book with many articles at a time. */
const COLLECTIONS_OF_USER = { ...ONE_CALL, refusal: () => new BookUnderWayError() };

/**
 * Sends articles as books for e-readers. Limits ensure that a few downloads do not slow down the service for other
 * users.
 */
@Injectable()
export class EpubDownloads {
  private readonly waiting = new KeyedQueue(ARTICLES_OF_USER);
  private readonly making = pLimit(ARTICLES_AT_ONCE);
  private readonly collectionsOfUser = new KeyedQueue(COLLECTIONS_OF_USER);
  private readonly collections = new KeyedQueue(ALL_COLLECTIONS);

  constructor(private readonly epubs: EpubService) {}

  /**
   * Sends the article of a user's item as a book. A HEAD request creates no book, because its response needs only the
   * file name.
   * @throws ItemNotFoundError
   * @throws ServiceBusyError
   */
  async sendArticle(response: Response, wanted: WantedArticle): Promise<void> {
    if (response.req.method === 'HEAD') {
      setEpubHeaders(response, articleName(titleOf(wanted.row), wanted.row));
      response.end();
      return;
    }
    await this.article(response, wanted, (book) => sendEpub(response, book));
  }

  /**
   * Creates a book with the article of a user's item, and passes the book to `send`. Until `send`
   * has ended, the book counts toward the user's limits.
   * @throws ItemNotFoundError
   * @throws ServiceBusyError
   */
  async article(
    response: Response,
    { userId, row }: WantedArticle,
    send: (book: EpubFile) => Promise<void>,
  ): Promise<void> {
    await this.waiting.run(userId, async () => {
      const book = await this.making(() =>
        // Creates no book for a client that disconnected while its request was queued.
        response.destroyed ? undefined : this.epubs.ofItem(userId, row),
      );
      if (book !== undefined) {
        await send(book);
      }
    });
  }

  /**
   * Sends one book with many articles. If an error occurs after the first byte was sent, ends the connection instead of
   * throwing the error.
   * @throws BookUnderWayError if the user is already downloading a book of many articles
   * @throws ServiceBusyError
   */
  async sendCollection(response: Response, { userId, rows, title }: WantedBook): Promise<void> {
    await this.collectionsOfUser.run(userId, () =>
      this.collections.run('all', () =>
        streamEpub(
          response,
          epubName(title, 'articles'),
          this.epubs.stream(userId, rows, { title }),
        ),
      ),
    );
  }
}

interface WantedArticle {
  readonly userId: string;
  readonly row: ItemRow;
}

interface WantedBook {
  readonly userId: string;
  readonly rows: AsyncIterable<ItemRow>;
  readonly title: string;
}
