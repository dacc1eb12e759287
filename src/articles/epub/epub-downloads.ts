import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import pLimit from 'p-limit';

import { FewAtOnce, OnePerUser } from '../../platform/jobs/work-limits.js';
import type { ItemRow } from '../../reading-list/entities/item.entity.js';
import { UserQueue } from '../../reading-list/user-queue.js';
import { BookUnderWayError } from '../articles.errors.js';
import { titleOf } from './chapter.js';
import { articleName, type EpubFile, EpubService } from './epub.service.js';
import { sendEpub, setEpubHeaders, streamEpub } from './epub-answers.js';
import { epubName } from './file-name.js';

/**
 * Limits for one user's downloads of single articles as books. Books are in memory until they are sent, and e-readers
 * request several books in advance.
 */
const ARTICLES_OF_USER = { concurrency: 2, maxCalls: 10 };
/**
 * The maximum number of books with a single article that are created at the same time for all users. Sending a finished
 * book does not count, so slow downloads block no other users.
 */
const ARTICLES_AT_ONCE = 4;
/**
 * The maximum number of books with many articles that are written at the same time. Each book keeps only one chapter in
 * memory, and is written only as fast as its client receives it.
 */
const COLLECTIONS_AT_ONCE = 8;

/**
 * Sends articles as books for e-readers. Limits ensure that a few downloads do not slow down the service for other
 * users.
 */
@Injectable()
export class EpubDownloads {
  private readonly waiting = new UserQueue(ARTICLES_OF_USER);
  private readonly making = pLimit(ARTICLES_AT_ONCE);
  private readonly onePerUser = new OnePerUser(() => new BookUnderWayError());
  private readonly collections = new FewAtOnce(COLLECTIONS_AT_ONCE);

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
   * Creates a book with the article of a user's item, and passes the book to `send`. The book counts toward the limits
   * of the user until `send` has ended.
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
   * Sends one book with many articles. Does not throw an error after the first byte is sent.
   * @throws BookUnderWayError if the user is already downloading a book of many articles
   * @throws ServiceBusyError
   */
  async sendCollection(response: Response, { userId, rows, title }: WantedBook): Promise<void> {
    await this.onePerUser.run(userId, () =>
      this.collections.run(() =>
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
