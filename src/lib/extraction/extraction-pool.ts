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
 * A page as received: its bytes and its Content-Type. The bytes are transferred to a worker thread, so the caller can
 * no longer use them.
 */
export interface EncodedPage extends Omit<PageSource, 'html'> {
  readonly bytes: Uint8Array;
  readonly contentType: string | undefined;
}

/** The result of an extraction. If the result is incomplete, it contains the error that interrupted the extraction. */
export interface Extraction extends ExtractedPage {
  /** The error that made the result incomplete. Undefined if `content` covers the whole page. */
  readonly trouble: unknown;
}

type Source = Omit<ExtractionTask, 'part'>;

const NO_PAGE: ExtractionTask = {
  markup: '',
  contentType: undefined,
  url: '',
  readAt: undefined,
  part: 'none',
};

/**
 * The number of bytes of a page that are enough to extract its head. These bytes are copied before the extraction,
 * because a failed thread may not return the bytes of the page.
 */
const HEAD_BYTES = 1_048_576;

/** Extracts pages in worker threads. If a page exceeds the limits, only its metadata is extracted. */
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
   * Extracts a page. Every page yields a result, but the result may contain only the metadata in the head of the page.
   * @throws ExtractionClosedError if the pool is closed.
   * @throws ExtractionQueueFullError if too many pages are queued.
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

  /** Stops the pool of threads immediately, even in the middle of a page. */
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

  /**
   * Runs a task in a worker thread. The time limit starts when a thread is free and has loaded its libraries, not when
   * the page is queued.
   */
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

const sourceOf = (page: PageSource | EncodedPage): Source =>
  'html' in page
    ? { markup: page.html, contentType: undefined, url: page.url, readAt: page.readAt }
    : { markup: page.bytes, contentType: page.contentType, url: page.url, readAt: page.readAt };

const startOf = (source: Source): Source =>
  typeof source.markup === 'string'
    ? source
    : { ...source, markup: source.markup.slice(0, HEAD_BYTES) };

/** Limits for one page and for the pool of threads (docs/research/resolving.md). */
export interface ExtractionLimits {
  readonly threads: number;
  /** Maximum number of queued pages. */
  readonly queue: number;
  /**
   * Processor time in ms for a whole page, measured from the start of its task. 99 % of pages need less than a second.
   */
  readonly pageMs: number;
  /** Processor time in ms if only the head of a page is extracted. */
  readonly headMs: number;
  /** Processor time in ms to start a thread. The limit is high, because the start is slow on a busy machine. */
  readonly startMs: number;
  readonly heapMb: number;
  /**
   * The number of pages after which a thread ends. The end of the thread frees the memory that its libraries retain.
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
 * The time after which an idle thread ends, in milliseconds. The end of the thread frees the memory that its pages
 * allocated.
 */
const IDLE_MS = 30_000;

/**
 * Starts a pool of threads that get only their tasks: no environment variables and little memory. A thread runs one
 * task after the other.
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
  // Ignores errors of threads. The pool rejects the task of a crashed thread, and an idle thread has no task.
  pool.on('error', () => undefined);
  return pool;
}

/** Limits of one task in a thread. */
interface TaskLimits {
  /** The limit of processor time in ms. */
  readonly ms: number;
  /** The bytes to transfer to the thread. They are not copied, so the caller can no longer use them. */
  readonly bytes: Uint8Array | undefined;
  /** The signal that aborts the task if the caller no longer needs the result. */
  readonly signal: AbortSignal | undefined;
}

/** The maximum wall-clock time of a task, as a multiple of its processor time limit. */
const MOST_TIMES = 5;

/**
 * Returns a signal that aborts after `ms` of processor time of the whole process, including all threads. Processor time
 * is measured because a thread may wait for a processor on a busy machine. The signal aborts after `ms` of wall-clock
 * time at the earliest, and after five times `ms` at the latest.
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

/** Runs a task in a thread and ends the thread if the task exceeds its limits. */
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
