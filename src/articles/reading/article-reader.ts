import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import pLimit from 'p-limit';

import {
  EXTRACTION_LIMITS,
  runWithin,
  startThreads,
} from '../../lib/extraction/extraction-pool.js';
import type { HighlightColor } from '../../lib/util/highlight-color.js';
import { workerFile } from '../../lib/util/worker-file.js';
import { ServiceBusyError } from '../../platform/common/common.errors.js';
import type { TextLanguage } from '../../platform/i18n/languages.js';
import { translatorTo } from '../../platform/i18n/translator.js';
import type { ChapterTask, ChapterText } from '../epub/xhtml/chapter-text.js';
import type { HighlightLabels } from './marked-text.js';
import { withoutBlanks } from './passages.js';
import type { ReadingResult, ReadingTask } from './read-article.worker.js';
import type { ArticleTask, ShownArticle, ShownLabels } from './shown-article.js';

const WORKER = new URL('./read-article.worker.js', import.meta.url);
const { threads } = EXTRACTION_LIMITS;
const LIMITS = { threads, heapMb: 512 } as const;
/**
 * The time limit in milliseconds for converting one article. An article of 10 MB takes one to two seconds of processor
 * time.
 */
const LIMIT_MS = 20_000;
const MOST_WAITING = 50;
/**
 * The maximum number of characters of an article that is converted in the main thread. Such an article takes up to 20
 * ms on a slow machine.
 */
const SHORT = 100_000;
/**
 * The maximum number of character comparisons for finding the highlights of an article in the main
 * thread. A search that needs more comparisons in the worst case runs in a worker thread, because a
 * crafted text can cause the worst case.
 */
const MOST_COMPARISONS = 50_000_000;

/** An article to show, and the language of its labels, such as the description of a highlight. */
type ShowTask = Omit<ArticleTask, 'labels'> & { readonly language: TextLanguage };

function labelsIn(language: TextLanguage): ShownLabels {
  const { text } = translatorTo(language);
  const highlight = (color: HighlightColor): HighlightLabels[HighlightColor] => ({
    plain: text(`highlights.described.${color}`),
    noted: text(`highlights.describedWithNote.${color}`),
  });
  return {
    table: text('article.shown.table'),
    picture: text('article.shown.picture'),
    video: text('article.shown.video'),
    recording: text('article.shown.recording'),
    highlights: {
      yellow: highlight('yellow'),
      green: highlight('green'),
      blue: highlight('blue'),
      pink: highlight('pink'),
    },
  };
}

/**
 * Converts articles to other formats. Long articles are converted in worker threads, so that other requests do not
 * wait.
 */
@Injectable()
export class ArticleReader implements OnApplicationShutdown {
  private readonly next = pLimit({ concurrency: threads, rejectOnClear: true });
  private pool: ReturnType<typeof startThreads<ReadingTask, ReadingResult>> | undefined;

  constructor(private readonly limitMs = LIMIT_MS) {}

  /**
   * Converts an article to the HTML that the reader shows. Omits the highlights if finding them takes too long.
   * @throws ServiceBusyError
   */
  async show({ language, ...article }: ShowTask): Promise<ShownArticle> {
    const task = { kind: 'show', ...article, labels: labelsIn(language) } as const;
    const shown = (await this.read(task)) ?? (await this.read({ ...task, passages: [] }));
    if (typeof shown !== 'object' || !('html' in shown)) {
      throw new ServiceBusyError();
    }
    return shown;
  }

  /**
   * Converts an article to the text of a chapter in a book. Returns undefined if the conversion exceeds the limits of a
   * worker thread.
   * @throws ServiceBusyError
   */
  async chapter(task: ChapterTask): Promise<ChapterText | undefined> {
    const text = await this.read({ kind: 'chapter', ...task });
    return typeof text === 'object' && 'xhtml' in text ? text : undefined;
  }

  /**
   * Converts an article to Markdown.
   * @throws ServiceBusyError if too many articles are queued
   */
  markdown(html: string): Promise<string> {
    return this.convert({ kind: 'markdown', html });
  }

  /** Returns true if the text of an article contains the quote. Ignores differences in white space. */
  async has(html: string, quote: string): Promise<boolean> {
    return (await this.read({ kind: 'has', html, quote })) === true;
  }

  async onApplicationShutdown(): Promise<void> {
    this.next.clearQueue();
    await this.pool?.destroy();
  }

  /** @throws ServiceBusyError if too many texts are queued, or if this one exceeds the limits of a worker thread */
  private async convert(task: ReadingTask): Promise<string> {
    const text = await this.read(task);
    if (typeof text !== 'string') {
      throw new ServiceBusyError();
    }
    return text;
  }

  /**
   * Runs a conversion or a search for an article. Returns undefined if it exceeds the limits of a worker thread.
   * @throws ServiceBusyError if too many articles are queued
   */
  private async read(task: ReadingTask): Promise<ReadingResult | undefined> {
    if (task.html.length <= SHORT && task.html.length * soughtIn(task) <= MOST_COMPARISONS) {
      // Loads the converter only when the first article needs it, because it needs 3 MB of memory.
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

/** Returns the total number of characters of the highlights to find in the article. */
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
