import pLimit from 'p-limit';
import { Piscina } from 'piscina';

import { availableCores } from '../util/available-cores.js';
import { workerFile } from '../util/worker-file.js';
import type { ExtractedPage, ExtractionTask } from './extract-page.worker.js';
import { ExtractionClosedError, ExtractionQueueFullError } from './extraction.errors.js';
import { BLANK_PAGE, type PageSource } from './page-content.js';

const WORKER = new URL('./extract-page.worker.js', import.meta.url);

type Threads = Piscina<ExtractionTask, ExtractedPage>;

/**
 * The bytes and the Content-Type of an HTTP response. The bytes are transferred to a worker thread,
 * so the caller can no longer read them.
 */
export interface EncodedPage extends Omit<PageSource, 'html'> {
  readonly bytes: Uint8Array;
  readonly contentType: string | undefined;
}

/**
 * The result of extracting a page. If the extraction failed, the result contains the error, and at most the metadata of
 * the page.
 */
export interface Extraction extends ExtractedPage {
  /** The error that interrupted the extraction. Undefined if the whole page was extracted. */
  readonly trouble: unknown;
}

type Source = Omit<ExtractionTask, 'part'>;

const NO_PAGE: ExtractionTask = {
  markup: '',
  contentType: undefined,
  url: '',
  readAt: undefined,
  before: undefined,
  part: 'none',
};

/**
 * The number of bytes that are copied from the beginning of a page, before the page is transferred
 * to a thread. If the extraction fails, the metadata is extracted from the copy.
 */
const HEAD_BYTES = 1_048_576;

/**
 * Extracts pages in worker threads. If a page exceeds the limits of the pool, extracts only the metadata of the page.
 */
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

  /**
   * Extracts a page. Returns a result even for a page that exceeds the limits, but the result then contains only the
   * metadata in the head of the page.
   * @throws ExtractionClosedError if the pool is closed
   * @throws ExtractionQueueFullError if too many pages are queued
   */
  async extract(page: PageSource | EncodedPage, signal?: AbortSignal): Promise<Extraction> {
    if (this.#isClosed) {
      throw new ExtractionClosedError();
    }
    if (this.#slots.pendingCount >= this.#limits.queue) {
      throw new ExtractionQueueFullError(this.#slots.pendingCount);
    }
    return this.#slots(() => this.#extracted(sourceOf(page), signal));
  }

  /** Stops all threads of the pool immediately, even in the middle of a page. */
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

  /** Runs a task in a worker thread. The time limit does not include the start of the thread. */
  async #run(task: ExtractionTask, ms: number, signal?: AbortSignal): Promise<ExtractedPage> {
    if (this.#threads.threads.length < this.#slots.activeCount) {
      const limits = { ms: this.#limits.startMs, bytes: undefined, signal };
      await runWithin(this.#threads, NO_PAGE, limits);
    }
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

const sourceOf = (page: PageSource | EncodedPage): Source => ({
  ...('html' in page
    ? { markup: page.html, contentType: undefined }
    : { markup: page.bytes, contentType: page.contentType }),
  url: page.url,
  readAt: page.readAt,
  before: page.before,
});

const startOf = (source: Source): Source =>
  typeof source.markup === 'string'
    ? source
    : { ...source, markup: source.markup.slice(0, HEAD_BYTES) };

/** Limits for the extraction of one page, and for the pool of threads (docs/research/resolving.md). */
export interface ExtractionLimits {
  readonly threads: number;
  /** The maximum number of pages that can wait for a free thread. */
  readonly queue: number;
  /**
   * The time limit for extracting a whole page, in milliseconds of processor time. 99 % of pages need less than a
   * second.
   */
  readonly pageMs: number;
  /** The time limit for extracting only the head of a page, in milliseconds of processor time. */
  readonly headMs: number;
  /**
   * The time limit for starting a thread, in milliseconds of processor time. The limit is high,
   * because the time includes the work of all other threads in the process.
   */
  readonly startMs: number;
  readonly heapMb: number;
  /**
   * The number of pages after which a thread is replaced with a new thread. The end of the old thread frees the memory
   * that its libraries retain.
   */
  readonly pagesPerThread: number;
}

export const EXTRACTION_LIMITS: ExtractionLimits = {
  threads: Math.max(1, availableCores() - 1),
  queue: 100,
  pageMs: 3_000,
  headMs: 3_000,
  startMs: 20_000,
  heapMb: 256,
  pagesPerThread: 2_000,
};

const YOUNG_HEAP_MB = 32;
const STACK_MB = 4;
/**
 * The time in milliseconds after which an idle thread ends. The end of the thread frees the memory that extracted pages
 * have used.
 */
const IDLE_MS = 30_000;

/**
 * Starts a pool of threads. Each thread runs one task at a time, has little memory, and gets no environment variables.
 */
export function startThreads<Task, Result>(
  { threads, heapMb }: Pick<ExtractionLimits, 'threads' | 'heapMb'>,
  worker: string,
  kept = 0,
): Piscina<Task, Result> {
  const pool = new Piscina<Task, Result>({
    filename: worker,
    minThreads: kept,
    maxThreads: threads,
    idleTimeout: IDLE_MS,
    env: {},
    execArgv: [],
    resourceLimits: {
      maxOldGenerationSizeMb: heapMb,
      maxYoungGenerationSizeMb: YOUNG_HEAP_MB,
      stackSizeMb: STACK_MB,
    },
  });
  // Ignores this event: if a thread crashes, the pool also rejects the promise of its task.
  pool.on('error', () => undefined);
  return pool;
}

/** Limits for one task of a thread. */
interface TaskLimits {
  /** The time limit of the task, in milliseconds of processor time. */
  readonly ms: number;
  /**
   * The bytes that are transferred to the thread instead of being copied. The caller can no longer
   * read them.
   */
  readonly bytes: Uint8Array | undefined;
  /** The signal that aborts the task because the caller no longer needs its result. */
  readonly signal: AbortSignal | undefined;
}

/** The wall-clock time limit of a task, as a multiple of its processor time limit. */
const MOST_TIMES = 5;

/**
 * Returns a signal that aborts after the process has used `ms` of processor time. Wall-clock time
 * is not used, because a thread may wait for a processor on a busy machine. However, the signal
 * never aborts before `ms` of wall-clock time, and always within five times `ms`.
 */
function startClock(ms: number): { readonly signal: AbortSignal; readonly stop: () => void } {
  const clock = new AbortController();
  const [used, begin] = [process.cpuUsage(), performance.now()];
  const look = (): void => {
    const { user, system } = process.cpuUsage(used);
    const left = Math.min(
      ms - (user + system) / 1000,
      MOST_TIMES * ms - (performance.now() - begin),
    );
    if (left <= 0) {
      clock.abort(new Error(`Took more than ${ms} ms.`));
    } else {
      timer = setTimeout(look, left);
    }
  };
  let timer = setTimeout(look, ms);
  return {
    signal: clock.signal,
    stop: () => {
      clearTimeout(timer);
    },
  };
}

/** Runs a task in a worker thread. If the task exceeds its time limit, ends the thread. */
export async function runWithin<Task, Result>(
  threads: Piscina<Task, Result>,
  task: Task,
  { ms, bytes, signal }: TaskLimits,
): Promise<Result> {
  const clock = startClock(ms);
  const end = signal === undefined ? clock.signal : AbortSignal.any([clock.signal, signal]);
  const transferList = bytes?.buffer instanceof ArrayBuffer ? [bytes.buffer] : [];
  try {
    return await threads.run(task, { signal: end, transferList });
  } finally {
    clock.stop();
  }
}
