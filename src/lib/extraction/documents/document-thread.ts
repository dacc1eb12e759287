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
 * The maximum number of parts of a document. For a PDF, the maximum amounts to 10,000 pages and 80 seconds of
 * extraction.
 */
const MAX_PARTS = 20;
/** The maximum length of an article in characters. HTML pages have the same limit. */
const MAX_ARTICLE = 6_000_000;

/**
 * Describes a part of a document when the part is first in the queue. The bytes of the part are copied only at that
 * point.
 */
type DescribeInTurn = (part: () => DocumentTask) => Promise<DescribedDocument>;

/**
 * Describes a whole document. Each part of a long PDF is queued separately, so that other documents do not wait for the
 * whole PDF.
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
    // Omits all later parts after one part is omitted, so that the article has no gaps.
    isFull ||= lengthOf(whole) + lengthOf(part) > MAX_ARTICLE;
    whole = together(whole, part, isFull);
  }
  return whole;
}

/**
 * Merges the descriptions of two parts of a document. The title and the other facts come from the first part if it has
 * them.
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
 * Describes documents one at a time in a worker thread. If a document exceeds the limits of the thread, its description
 * has no facts.
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
   * Describes a document. The bytes are transferred to the worker thread, so the caller can no longer use them. The
   * time limit starts when the document leaves the queue.
   */
  async describe(task: DocumentTask, signal?: AbortSignal): Promise<DescribedDocument> {
    try {
      return await this.#next(() => this.#described(task, signal));
    } catch {
      return NOTHING;
    }
  }

  /**
   * Describes a document. If the pages of a PDF exceed the limits of the worker thread, only the PDF's metadata is
   * extracted.
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
