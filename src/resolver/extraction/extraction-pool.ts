import pLimit from 'p-limit';
import type { Piscina } from 'piscina';

import { BLANK_PAGE } from './blank-page.js';
import type { ExtractionTask } from './extract-page.worker.js';
import { ExtractionClosedError, ExtractionQueueFullError } from './extraction.errors.js';
import { EXTRACTION_LIMITS, type ExtractionLimits } from './extraction-limits.js';
import { startThreads } from './extraction-threads.js';
import type { PageContent, PageSource } from './page-content.js';
import { workerFile } from './worker-file.js';

const WORKER = new URL('./extract-page.worker.js', import.meta.url);

type Threads = Piscina<ExtractionTask, PageContent>;

/** What was read of a page, and why it is not all of it. */
export interface Extraction {
  readonly content: PageContent;
  /** Undefined when all went well: then `content` is of the whole page. */
  readonly trouble: unknown;
}

/** Extracts pages in threads; a page that is too much for its thread costs itself its text, and nothing else. */
export class ExtractionPool {
  readonly #limits: ExtractionLimits;
  readonly #slots;
  #threads: Threads;
  #pages = 0;
  #isClosed = false;

  constructor(
    limits: Partial<ExtractionLimits> = {},
    private readonly worker = workerFile(WORKER),
  ) {
    this.#limits = { ...EXTRACTION_LIMITS, ...limits };
    this.#slots = pLimit({ concurrency: this.#limits.threads, rejectOnClear: true });
    this.#threads = startThreads(this.#limits, this.worker);
  }

  /** Refuses when too many wait or the pool is closed; any page whatever is an answer. */
  async extract(source: PageSource): Promise<Extraction> {
    if (this.#isClosed) {
      throw new ExtractionClosedError();
    }
    if (this.#slots.pendingCount >= this.#limits.queue) {
      throw new ExtractionQueueFullError(this.#slots.pendingCount);
    }
    return this.#slots(() => this.#extracted(source));
  }

  /** Stops at once, in the middle of pages. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#slots.clearQueue();
    await this.#threads.destroy();
  }

  async #extracted(source: PageSource): Promise<Extraction> {
    this.#renewThreads();
    try {
      return {
        content: await this.#run(source, 'page', this.#limits.pageMs),
        trouble: undefined,
      };
    } catch (trouble) {
      return { content: await this.#head(source), trouble };
    }
  }

  async #head(source: PageSource): Promise<PageContent> {
    try {
      return await this.#run(source, 'head', this.#limits.headMs);
    } catch {
      return BLANK_PAGE;
    }
  }

  /** The clock starts when a thread is free, not when the page comes. */
  async #run(source: PageSource, part: 'page' | 'head', ms: number): Promise<PageContent> {
    const clock = new AbortController();
    const timer = setTimeout(() => {
      clock.abort(new Error(`Took more than ${ms} ms.`));
    }, ms);
    try {
      return await this.#threads.run({ source, part }, { signal: clock.signal });
    } finally {
      clearTimeout(timer);
    }
  }

  #renewThreads(): void {
    this.#pages += 1;
    if (this.#pages % (this.#limits.pagesPerThread * this.#limits.threads) === 0) {
      const worn = this.#threads;
      this.#threads = startThreads(this.#limits, this.worker);
      void worn.close();
    }
  }
}
