import pLimit from 'p-limit';
import { Piscina } from 'piscina';

import { availableCores } from '../util/available-cores.js';
import { workerFile } from '../util/worker-file.js';
import type { ExtractedPage, ExtractionTask } from './extract-page.worker.js';
import { ExtractionClosedError, ExtractionQueueFullError } from './extraction.errors.js';
import { BLANK_PAGE, type PageSource } from './page-content.js';

const WORKER = new URL('./extract-page.worker.js', import.meta.url);

type Threads = Piscina<ExtractionTask, ExtractedPage>;

/** A page as it came over the wire: its bytes, which are gone once it is read, and what its server called them. */
export interface EncodedPage extends Omit<PageSource, 'html'> {
  readonly bytes: Uint8Array;
  readonly contentType: string | undefined;
}

/** What was read of a page, and why it is not all of it. */
export interface Extraction extends ExtractedPage {
  /** Undefined when all went well: then `content` is of the whole page. */
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

  /** The clock starts when a thread is free and has loaded its libraries, not when the page comes. */
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

/** What one page, and all of them, may cost (docs/resolving.md). */
export interface ExtractionLimits {
  readonly threads: number;
  /** Pages that may wait for a thread. */
  readonly queue: number;
  /** Processor time for all of a page, from when a thread takes it; 99 % of pages take less than a second. */
  readonly pageMs: number;
  /** For its head alone. */
  readonly headMs: number;
  /** For a thread to start, which takes long on a busy machine. */
  readonly startMs: number;
  readonly heapMb: number;
  /** A thread that has read so many pages ends: what its libraries hold on to goes with it. */
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
/** A thread without work ends, and frees what a page made it take. */
const IDLE_MS = 30_000;

/** Threads get nothing but their task: no environment, little memory. A thread that has ended its task waits for another. */
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
  // The task of a thread that dies is rejected; an idle thread has no task.
  pool.on('error', () => undefined);
  return pool;
}

/** What one task may take. */
interface TaskLimits {
  /** Of processor time. */
  readonly ms: number;
  /** These go over to the thread without a copy, and are gone here. */
  readonly bytes: Uint8Array | undefined;
  /** Aborted when the answer is not wanted any more. */
  readonly signal: AbortSignal | undefined;
}

/** How many times its limit a task may take by the clock. */
const MOST_TIMES = 5;

/**
 * Aborts its signal after so many milliseconds of processor time of the whole process, to which the threads belong:
 * on a busy machine a thread waits for a processor, and its task is not to blame. Never earlier by the clock, and at most
 * five times as late.
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

/** The answer of a thread, which is ended when it takes longer. */
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
