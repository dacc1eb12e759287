import pLimit from 'p-limit';

import { defined } from '../../util/defined.js';
import { workerFile } from '../../util/worker-file.js';
import { runWithin, startThreads } from '../extraction-pool.js';
import type { DocumentTask } from './describe-document.worker.js';
import type { DescribedDocument } from './document-facts.js';

const WORKER = new URL('./describe-document.worker.js', import.meta.url);
const LIMITS = { threads: 1, heapMb: 256 } as const;
const LIMIT_MS = 8000;
const NOTHING: DescribedDocument = { facts: {}, encoding: '' };

/**
 * The maximum number of parts of a document. For a PDF, all parts together have at most 10,000 pages and take at most
 * 80 seconds.
 */
const MAX_PARTS = 20;
/** The maximum length of an extracted article in characters. HTML pages have the same maximum. */
const MAX_ARTICLE = 6_000_000;

/**
 * A function that queues a task and returns the description of the document. The function calls `part` to get the task
 * only when the task is the first in the queue. A queued task therefore needs no copy of the bytes.
 */
type DescribeInTurn = (part: () => DocumentTask) => Promise<DescribedDocument>;

/**
 * Describes a whole document. A long PDF is described in parts that are queued separately, so that other documents do
 * not wait until the whole PDF is described.
 */
export async function describeInParts(
  task: DocumentTask,
  describe: DescribeInTurn,
): Promise<DescribedDocument> {
  if (task.kind !== 'pdf') {
    return describe(() => task);
  }
  let whole = await describe(() => ({ ...task, bytes: task.bytes.slice() }));
  let isFull = false;
  for (let parts = 1; parts < MAX_PARTS && whole.nextPage !== undefined; parts += 1) {
    const fromPage = whole.nextPage;
    const part = await describe(() => ({ ...task, bytes: task.bytes.slice(), fromPage }));
    // If a part makes the article too long, leave out this part and all later parts, so that there is no gap.
    isFull ||= lengthOf(whole) + lengthOf(part) > MAX_ARTICLE;
    whole = together(whole, part, isFull);
  }
  return whole;
}

/**
 * Merges the descriptions of two consecutive parts of a document. If both parts have a fact, such as the title, the
 * fact of the first part is used.
 */
function together(
  whole: DescribedDocument,
  part: DescribedDocument,
  isFull: boolean,
): DescribedDocument {
  const { wordCount = 0, ...facts } = whole.facts;
  const longer = (whole.article ?? '') + (isFull ? '' : (part.article ?? ''));
  const article = longer || undefined;
  return {
    facts: { ...part.facts, ...facts, wordCount: wordCount + (part.facts.wordCount ?? 0) },
    encoding: whole.encoding,
    ...defined({ article, nextPage: part.nextPage }),
  };
}

const lengthOf = ({ article = '' }: DescribedDocument): number => article.length;

/**
 * Describes documents one at a time in a worker thread. A document that exceeds the limits of the thread gets a
 * description without facts.
 */
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

  /**
   * Describes a document. The bytes move to the worker thread, so the caller can no longer read them. The time limit
   * starts when the document leaves the queue.
   */
  async describe(task: DocumentTask, signal?: AbortSignal): Promise<DescribedDocument> {
    try {
      return await this.#next(() => this.#described(task, signal));
    } catch {
      return NOTHING;
    }
  }

  /**
   * Describes a document. If the text of a PDF exceeds the limits of the worker thread, extracts only the metadata of
   * the PDF.
   */
  async #described(task: DocumentTask, signal?: AbortSignal): Promise<DescribedDocument> {
    const head =
      task.kind === 'pdf' && task.fromPage === undefined
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
