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

/** Books of single articles of one user that are in memory until they are sent, and those with them that wait: devices ask for the next ones ahead. */
const ARTICLES_OF_USER = { concurrency: 2, maxCalls: 10 };
/** Made at once for all users; a slow reader holds none of these places. */
const ARTICLES_AT_ONCE = 4;
/** Books of many articles hold a chapter each, and go as slowly as their readers take them. */
const COLLECTIONS_AT_ONCE = 8;

/** Gives users the books that they download, so many at a time that the service goes on for the others. */
@Injectable()
export class EpubDownloads {
  private readonly waiting = new UserQueue(ARTICLES_OF_USER);
  private readonly making = pLimit(ARTICLES_AT_ONCE);
  private readonly onePerUser = new OnePerUser(() => new BookUnderWayError());
  private readonly collections = new FewAtOnce(COLLECTIONS_AT_ONCE);

  constructor(private readonly epubs: EpubService) {}

  /**
   * Answers with the article of an item of the user; the name of its file alone, which HEAD asks for, needs no book.
   * Throws ItemNotFoundError, ServiceBusyError.
   */
  async sendArticle(response: Response, wanted: WantedArticle): Promise<void> {
    if (response.req.method === 'HEAD') {
      setEpubHeaders(response, articleName(titleOf(wanted.row), wanted.row));
      response.end();
      return;
    }
    await this.article(response, wanted, (book) => sendEpub(response, book));
  }

  /** Has the article of an item of the user sent, whose place is free when that is done. Throws ItemNotFoundError, ServiceBusyError. */
  async article(
    response: Response,
    { userId, row }: WantedArticle,
    send: (book: EpubFile) => Promise<void>,
  ): Promise<void> {
    await this.waiting.run(userId, async () => {
      const book = await this.making(() =>
        // For a client that has gone while it waited nothing is made.
        response.destroyed ? undefined : this.epubs.ofItem(userId, row),
      );
      if (book !== undefined) {
        await send(book);
      }
    });
  }

  /** Answers with one book of many articles. Throws BookUnderWayError and ServiceBusyError before anything is sent. */
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

/** The book of an item. */
interface WantedArticle {
  readonly userId: string;
  readonly row: ItemRow;
}

/** A book of many articles. */
interface WantedBook {
  readonly userId: string;
  readonly rows: AsyncIterable<ItemRow>;
  readonly title: string;
}
