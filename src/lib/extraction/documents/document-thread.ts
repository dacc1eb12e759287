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
 * The maximum number of parts of a document. For a PDF, this means at most 10,000 pages and 80
 * seconds.
 */
const MAX_PARTS = 20;
/** The maximum length of an extracted article in characters. HTML pages have the same maximum. */
const MAX_ARTICLE = 6_000_000;

/**
 * A function that queues a task and returns the description of the document. It calls `part` only
 * when the task reaches the front of the queue, so that queued tasks need no copies of the bytes.
 */
type DescribeInTurn = (part: () => DocumentTask) => Promise<DescribedDocument>;

/**
 * Describes a whole document. A long PDF is split into parts that are queued separately, so that
 * other documents do not wait for the whole PDF.
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
    // If the article becomes too long, this part and all later parts are omitted, so that the text
    // has no gap.
    isFull ||= lengthOf(whole) + lengthOf(part) > MAX_ARTICLE;
    whole = together(whole, part, isFull);
  }
  return whole;
}

/**
 * Merges the descriptions of two consecutive parts of a document. For a fact that both parts
 * contain, such as the title, the first part wins.
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
 * Describes documents one at a time in a worker thread. The description is empty if a document
 * exceeds the limits of the thread.
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
   * Describes a document. The caller can no longer read its bytes, because they are transferred to
   * the worker thread. The time limit starts when the document leaves the queue.
   */
  async describe(task: DocumentTask, signal?: AbortSignal): Promise<DescribedDocument> {
    try {
      return await this.#next(() => this.#described(task, signal));
    } catch {
      return NOTHING;
    }
  }

  /**
   * Describes a document. If the text of a PDF exceeds the limits of the thread, extracts only the
   * metadata.
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
