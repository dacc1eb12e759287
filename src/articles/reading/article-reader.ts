import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import pLimit from 'p-limit';

import {
  EXTRACTION_LIMITS,
  runWithin,
  startThreads,
} from '../../lib/extraction/extraction-pool.js';
import { workerFile } from '../../lib/util/worker-file.js';
import { ServiceBusyError } from '../../platform/common/common.errors.js';
import type { ChapterTask, ChapterText } from '../epub/xhtml/chapter-text.js';
import { withoutBlanks } from './passages.js';
import type { ReadingResult, ReadingTask } from './read-article.worker.js';
import type { ArticleTask, ShownArticle } from './shown-article.js';

const WORKER = new URL('./read-article.worker.js', import.meta.url);
const { threads } = EXTRACTION_LIMITS;
const LIMITS = { threads, heapMb: 512 } as const;
/**
 * The time limit for the conversion of one article, in milliseconds. An article of 10 MB takes one to two seconds of
 * processor time.
 */
const LIMIT_MS = 20_000;
const MOST_WAITING = 50;
/**
 * The maximum length of an article that is processed in the main thread, in characters. Such an article takes up to 20
 * ms on a slow machine.
 */
const SHORT = 100_000;
/**
 * The maximum number of character comparisons for a highlight search in the main thread. Larger searches run in a
 * worker thread, because a crafted text can require all comparisons.
 */
const MOST_COMPARISONS = 50_000_000;

/** Converts articles for display. Long articles are processed in worker threads, so that other requests continue. */
@Injectable()
export class ArticleReader implements OnApplicationShutdown {
  private readonly next = pLimit({ concurrency: threads, rejectOnClear: true });
  private pool: ReturnType<typeof startThreads<ReadingTask, ReadingResult>> | undefined;

  constructor(private readonly limitMs = LIMIT_MS) {}

  /**
   * Converts an article to HTML for the reader. Omits the highlights if searching for them takes too long.
   * @throws ServiceBusyError
   */
  async show(task: ArticleTask): Promise<ShownArticle> {
    const shown =
      (await this.read({ kind: 'show', ...task })) ??
      (await this.read({ kind: 'show', ...task, passages: [] }));
    if (typeof shown !== 'object' || !('html' in shown)) {
      throw new ServiceBusyError();
    }
    return shown;
  }

  /**
   * Converts an article to the text of a book chapter. Returns undefined if the article exceeds the limits of a worker
   * thread.
   * @throws ServiceBusyError
   */
  async chapter(task: ChapterTask): Promise<ChapterText | undefined> {
    const text = await this.read({ kind: 'chapter', ...task });
    return typeof text === 'object' && 'xhtml' in text ? text : undefined;
  }

  /**
   * Converts an article to Markdown.
   *
   * @throws ServiceBusyError if too many tasks are queued
   */
  async markdown(html: string): Promise<string> {
    const text = await this.read({ kind: 'markdown', html });
    if (typeof text !== 'string') {
      throw new ServiceBusyError();
    }
    return text;
  }

  /** Returns true if the article contains the quote. Differences in white space are ignored. */
  async has(html: string, quote: string): Promise<boolean> {
    return (await this.read({ kind: 'has', html, quote })) === true;
  }

  async onApplicationShutdown(): Promise<void> {
    this.next.clearQueue();
    await this.pool?.destroy();
  }

  /**
   * Runs a task for an article. Returns undefined if the task exceeds the limits of a worker thread.
   * @throws ServiceBusyError if too many tasks are queued
   */
  private async read(task: ReadingTask): Promise<ReadingResult | undefined> {
    if (task.html.length <= SHORT && task.html.length * soughtIn(task) <= MOST_COMPARISONS) {
      // Loads the module only when an article needs it, because the module and its DOM use 3 MB.
      const { readArticle } = await import('./read-article.worker.js');
      return readArticle(task);
    }
    if (this.next.pendingCount >= MOST_WAITING) {
      throw new ServiceBusyError();
    }
    try {
      return await this.next(() => this.readInThread(task));
    } catch {
      return undefined;
    }
  }

  private readInThread(task: ReadingTask): Promise<ReadingResult> {
    this.pool ??= startThreads<ReadingTask, ReadingResult>(LIMITS, workerFile(WORKER));
    return runWithin(this.pool, task, { ms: this.limitMs, bytes: undefined, signal: undefined });
  }
}

/** Returns the total length of the highlights that the task searches for, in characters. */
function soughtIn(task: ReadingTask): number {
  switch (task.kind) {
    case 'show':
      return task.passages.reduce((sum, { quote }) => sum + withoutBlanks(quote).length, 0);
    case 'has':
      return task.quote.length;
    case 'chapter':
    case 'markdown':
      return 0;
  }
}
