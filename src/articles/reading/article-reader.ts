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
/** 10 MB take one to two seconds of processor time. */
const LIMIT_MS = 20_000;
const MOST_WAITING = 50;
/** Of an article that is worked on without a thread: up to 20 ms on a slow machine. */
const SHORT = 100_000;
/** Of the comparisons that it may take to find its passages: a text can be made so that each is needed. */
const MOST_COMPARISONS = 50_000_000;

/** Makes what the reader shows of articles: long ones in threads, so that other calls go on. */
@Injectable()
export class ArticleReader implements OnApplicationShutdown {
  private readonly next = pLimit({ concurrency: threads, rejectOnClear: true });
  private pool: ReturnType<typeof startThreads<ReadingTask, ReadingResult>> | undefined;

  constructor(private readonly limitMs = LIMIT_MS) {}

  /** Without its passages, if finding them is too much for the thread. Throws ServiceBusyError. */
  async show(task: ArticleTask): Promise<ShownArticle> {
    const shown =
      (await this.read({ kind: 'show', ...task })) ??
      (await this.read({ kind: 'show', ...task, passages: [] }));
    if (typeof shown !== 'object' || !('html' in shown)) {
      throw new ServiceBusyError();
    }
    return shown;
  }

  /** The text of a chapter of a book; undefined for an article that is too much for its thread. Throws ServiceBusyError. */
  async chapter(task: ChapterTask): Promise<ChapterText | undefined> {
    const text = await this.read({ kind: 'chapter', ...task });
    return typeof text === 'object' && 'xhtml' in text ? text : undefined;
  }

  /** Throws ServiceBusyError. */
  async markdown(html: string): Promise<string> {
    const text = await this.read({ kind: 'markdown', html });
    if (typeof text !== 'string') {
      throw new ServiceBusyError();
    }
    return text;
  }

  /** Whether the passage stands in the article, whatever its white space. */
  async has(html: string, quote: string): Promise<boolean> {
    return (await this.read({ kind: 'has', html, quote })) === true;
  }

  async onApplicationShutdown(): Promise<void> {
    this.next.clearQueue();
    await this.pool?.destroy();
  }

  /** Undefined for an article that is too much for its thread. Throws ServiceBusyError when too many wait. */
  private async read(task: ReadingTask): Promise<ReadingResult | undefined> {
    if (task.html.length <= SHORT && task.html.length * soughtIn(task) <= MOST_COMPARISONS) {
      // Loaded with the first article: with its DOM it takes 3 MB.
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

/** How many characters are sought. */
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
