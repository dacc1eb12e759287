import { Injectable, Logger } from '@nestjs/common';

import { yieldToOthers } from '../../lib/util/event-loop.js';
import { isTemporary } from '../../platform/database/database.errors.js';
import { Database } from '../../platform/database/database.js';
import { Backoff } from '../../platform/jobs/backoff.js';
import { shownTitle } from '../list/item-texts.js';
import { PageTexts } from '../pages/page-texts.js';
import { byUser, type DueItem, type DueKey, DueTextRepository } from './due-text.repository.js';
import { ItemTextRepository, type WrittenText } from './item-text.repository.js';
import { configurationFor } from './languages.js';
import { wordsOf } from './words.js';

/**
 * The maximum number of items that are indexed in one transaction. The transaction locks the rows of these items, so a
 * higher number would block other changes to the items for longer.
 */
const ITEMS_AT_ONCE = 10;
/**
 * The maximum size of an article's words in a `tsvector`, in bytes. PostgreSQL limits a `tsvector` to 1,048,575 bytes,
 * and the title and the URLs need some of these bytes.
 */
const BODY_BYTES = 800_000;
/** The maximum number of bytes that a `tsvector` needs for each word in addition to the characters of the word. */
const BYTES_BESIDE = 8;
/**
 * The maximum number of characters that are split into words in one step. Between two steps, the process can do other
 * work.
 */
const PIECE = 16_384;
/**
 * The maximum number of characters of the articles that one transaction indexes together. PostgreSQL stems a megabyte in
 * about a second, and changes to all these items wait for the transaction.
 */
const MOST_CHARACTERS = 400_000;
const LAST_SPACE = /\s\S*$/u;

/**
 * Indexes the words of items for full-text search after the items were saved or changed, or after their pages were
 * fetched.
 */
@Injectable()
export class TextIndexer {
  private readonly logger = new Logger(TextIndexer.name);
  private readonly backoff = new Backoff();

  constructor(
    private readonly database: Database,
    private readonly dueTexts: DueTextRepository,
    private readonly pages: PageTexts,
  ) {}

  /**
   * Indexes the next items in the queue. A temporary error for one user postpones only the items of this user. Returns
   * false if the queue is empty, or if other processes are already indexing the items in the queue.
   */
  async writeNext(): Promise<boolean> {
    const next = await this.dueTexts.latest(ITEMS_AT_ONCE, this.backoff.postponed());
    return next.length > 0 && this.writeEach(this.dueTexts.groupsOf(next));
  }

  /**
   * Indexes those items of one user that are in the queue, before all other items. Skips items that are being indexed.
   */
  async writeNow(userId: string, itemIds: readonly string[]): Promise<void> {
    const keys = itemIds.map((itemId) => ({ userId, itemId }));
    for (let at = 0; at < keys.length; at += ITEMS_AT_ONCE) {
      await this.writeAll(keys.slice(at, at + ITEMS_AT_ONCE));
    }
  }

  private async writeEach(groups: readonly (readonly DueKey[])[]): Promise<boolean> {
    let hasWritten = false;
    for (const keys of groups) {
      hasWritten = (await this.writeOrPostpone(keys)) || hasWritten;
    }
    return hasWritten;
  }

  private async writeOrPostpone(keys: readonly DueKey[]): Promise<boolean> {
    const users = byUser(keys);
    try {
      const hasWritten = await this.writeAll(keys);
      [...users.keys()].forEach((userId) => {
        this.backoff.forget(userId);
      });
      return hasWritten;
    } catch (error) {
      if (users.size > 1) {
        return this.writeEach([...users.values()]);
      }
      [...users.keys()].forEach((userId) => {
        this.backoff.postpone(userId);
      });
      this.logger.warn(error);
      return false;
    }
  }

  /** Indexes items in one transaction if possible, or else each item in its own. */
  private async writeAll(keys: readonly DueKey[]): Promise<boolean> {
    const result = await this.writeTogether(keys);
    if (result !== 'impossible') {
      return result === 'written';
    }
    for (const key of keys) {
      await this.writeOrLeaveOut(key);
    }
    return true;
  }

  private async writeTogether(keys: readonly DueKey[]): Promise<Outcome> {
    try {
      return await this.write(keys);
    } catch (error) {
      if (isTemporary(error)) {
        throw error;
      }
      return 'impossible';
    }
  }

  /**
   * Indexes one item. If the database rejects the words of the article, indexes the item without the article.
   * Otherwise, the indexer would retry this item forever.
   */
  private async writeOrLeaveOut(key: DueKey): Promise<void> {
    try {
      await this.write([key]);
    } catch (error) {
      if (isTemporary(error)) {
        throw error;
      }
      const message = `the words of item ${key.itemId} of user ${key.userId} cannot be written`;
      this.logger.error(new Error(message, { cause: error }));
      await this.write([key], { withArticle: false });
    }
  }

  private async write(keys: readonly DueKey[], { withArticle = true } = {}): Promise<Outcome> {
    return this.database.transaction(async (manager) => {
      const dueTexts = DueTextRepository.in(manager);
      const { due, items } = await dueTexts.lock(keys);
      const pageIds = withArticle ? items.map(({ pageId }) => pageId) : [];
      const articles = await this.pages.of(pageIds, manager);
      if (items.length > 1 && lengthOf(articles) > MOST_CHARACTERS) {
        return 'impossible';
      }
      const texts = items.map((item) => writtenOf(item, articles.get(item.pageId) ?? ''));
      if (items.length > 0) {
        await ItemTextRepository.in(manager).writeTexts(await Promise.all(texts));
      }
      await dueTexts.finish(due, items);
      return items.length > 0 ? 'written' : 'nothing due';
    });
  }
}

type Outcome = 'written' | 'nothing due' | 'impossible';

const lengthOf = (articles: ReadonlyMap<string, string>): number =>
  [...articles.values()].reduce((sum, { length }) => sum + length, 0);

async function writtenOf(item: DueItem, article: string): Promise<WrittenText> {
  const { userId, itemId, lang, givenUrl, resolvedUrl } = item;
  const urls = [...new Set([givenUrl, resolvedUrl])].map(readable);
  const titles = [...new Set([shownTitle({ ...item, givenUrl: '' }), item.givenTitle])];
  return {
    userId,
    itemId,
    configuration: configurationFor(lang),
    title: joined(titles),
    address: joined(urls),
    excerpt: joined([item.excerpt]),
    body: await fittingWords(article),
  };
}

const joined = (texts: readonly string[]): string => wordsOf(texts.join('\n')).join(' ');

/** Returns a URL without the scheme and `www.`, and with decoded percent-encoding if the encoding is valid. */
function readable(url: string): string {
  const text = url.replace(/^https?:\/\/(?:www\.)?/i, '');
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Returns words from the beginning of the text, as many as are certain to fit into a `tsvector`.
 */
async function fittingWords(text: string): Promise<string> {
  const fitting: string[] = [];
  let left = BODY_BYTES;
  for (let at = 0; at < text.length && left > 0;) {
    const piece = pieceAt(text, at);
    at += piece.length;
    for (const word of wordsOf(piece)) {
      left -= Buffer.byteLength(word) + BYTES_BESIDE;
      if (left > 0) {
        fitting.push(word);
      }
    }
    await yieldToOthers();
  }
  return fitting.join(' ');
}

/**
 * Returns the next part of the text, which has at most PIECE characters. The part ends at a space if possible, so that
 * no word is split.
 */
function pieceAt(text: string, at: number): string {
  const piece = text.slice(at, at + PIECE);
  const isLast = at + PIECE >= text.length;
  return isLast ? piece : piece.replace(LAST_SPACE, '') || piece;
}
