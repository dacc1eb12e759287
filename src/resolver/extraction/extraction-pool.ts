import pLimit from 'p-limit';
import type { Piscina } from 'piscina';

import { BLANK_PAGE } from './blank-page.js';
import type { ExtractedPage, ExtractionTask } from './extract-page.worker.js';
import { ExtractionClosedError, ExtractionQueueFullError } from './extraction.errors.js';
import { EXTRACTION_LIMITS, type ExtractionLimits } from './extraction-limits.js';
import { runWithin, startThreads } from './extraction-threads.js';
import type { PageSource } from './page-content.js';
import { workerFile } from './worker-file.js';

const WORKER = new URL('./extract-page.worker.js', import.meta.url);

type Threads = Piscina<ExtractionTask, ExtractedPage>;

/** A page as it came over the wire: its bytes, which are gone once it is read, and what its server called them. */
export interface EncodedPage {
  readonly bytes: Uint8Array;
  readonly contentType: string | undefined;
  readonly url: string;
}

/** What was read of a page, and why it is not all of it. */
export interface Extraction extends ExtractedPage {
  /** Undefined when all went well: then `content` is of the whole page. */
  readonly trouble: unknown;
}

type Source = Omit<ExtractionTask, 'part'>;

/** As many bytes tell a head: its thread takes them along, and may not come back. */
const HEAD_BYTES = 1_048_576;

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
  async extract(page: PageSource | EncodedPage, signal?: AbortSignal): Promise<Extraction> {
    if (this.#isClosed) {
      throw new ExtractionClosedError();
    }
    if (this.#slots.pendingCount >= this.#limits.queue) {
      throw new ExtractionQueueFullError(this.#slots.pendingCount);
    }
    return this.#slots(() => this.#extracted(sourceOf(page), signal));
  }

  /** Stops at once, in the middle of pages. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#slots.clearQueue();
    await this.#threads.destroy();
  }

  async #extracted(source: Source, signal?: AbortSignal): Promise<Extraction> {
    this.#renewThreads();
    const start = startOf(source);
    try {
      const page = await this.#run({ ...source, part: 'page' }, this.#limits.pageMs, signal);
      return { ...page, trouble: undefined };
    } catch (trouble) {
      if (this.#isClosed) {
        throw new ExtractionClosedError();
      }
      return { ...(await this.#head(start, signal)), trouble };
    }
  }

  async #head(source: Source, signal?: AbortSignal): Promise<ExtractedPage> {
    try {
      return await this.#run({ ...source, part: 'head' }, this.#limits.headMs, signal);
    } catch {
      return { content: BLANK_PAGE, encoding: '' };
    }
  }

  /** The clock starts when a thread is free, not when the page comes. */
  #run(task: ExtractionTask, ms: number, signal?: AbortSignal): Promise<ExtractedPage> {
    const bytes = typeof task.markup === 'string' ? undefined : task.markup;
    return runWithin(this.#threads, task, { ms, bytes, signal });
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

const sourceOf = (page: PageSource | EncodedPage): Source =>
  'html' in page
    ? { markup: page.html, contentType: undefined, url: page.url }
    : { markup: page.bytes, contentType: page.contentType, url: page.url };

const startOf = (source: Source): Source =>
  typeof source.markup === 'string'
    ? source
    : { ...source, markup: source.markup.slice(0, HEAD_BYTES) };
