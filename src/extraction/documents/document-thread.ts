import pLimit from 'p-limit';

import { runWithin, startThreads } from '../extraction-pool.js';
import { workerFile } from '../worker-file.js';
import type { DocumentTask } from './describe-document.worker.js';
import type { DescribedDocument } from './document-facts.js';

const WORKER = new URL('./describe-document.worker.js', import.meta.url);
const LIMITS = { threads: 1, heapMb: 256 } as const;
const LIMIT_MS = 8000;
const NOTHING: DescribedDocument = { facts: {}, encoding: '' };

/** Reads documents, one at a time; one that is too much for the thread says nothing of itself. */
export class DocumentThread {
  readonly #next = pLimit({ concurrency: 1, rejectOnClear: true });
  readonly #threads;
  #isClosed = false;

  constructor(
    private readonly limitMs = LIMIT_MS,
    worker = workerFile(WORKER),
  ) {
    this.#threads = startThreads<DocumentTask, DescribedDocument>(LIMITS, worker);
  }

  /** The bytes are gone then. A document's time starts when its turn comes, whatever the one before it did. */
  async describe(task: DocumentTask, signal?: AbortSignal): Promise<DescribedDocument> {
    try {
      return await this.#next(() => this.#described(task, signal));
    } catch {
      return NOTHING;
    }
  }

  /** A PDF whose pages are too much for the thread still says what it is called. */
  async #described(task: DocumentTask, signal?: AbortSignal): Promise<DescribedDocument> {
    const head =
      task.kind === 'pdf'
        ? ({ ...task, bytes: task.bytes.slice(), part: 'head' } as const)
        : undefined;
    try {
      return await this.#run(task, signal);
    } catch (error) {
      if (head === undefined || this.#isClosed || signal?.aborted === true) {
        throw error;
      }
      return await this.#run(head, signal);
    }
  }

  #run(task: DocumentTask, signal?: AbortSignal): Promise<DescribedDocument> {
    return runWithin(this.#threads, task, { ms: this.limitMs, bytes: task.bytes, signal });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#next.clearQueue();
    await this.#threads.destroy();
  }
}
