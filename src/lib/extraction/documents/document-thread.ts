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

/** Of a PDF: 10,000 pages, and 80 seconds of reading. */
const MAX_PARTS = 20;
/** As of a page of HTML. */
const MAX_ARTICLE = 6_000_000;

/** Describes a part of a document when the turn of its user has come; the bytes of a part are copied then, not while it waits. */
type DescribeInTurn = (part: () => DocumentTask) => Promise<DescribedDocument>;

/** A whole document. A long PDF is read in parts, with a turn for each, so that others are read in between. */
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
    // What comes after a part that is left out is left out too: an article has no holes.
    isFull ||= lengthOf(whole) + lengthOf(part) > MAX_ARTICLE;
    whole = together(whole, part, isFull);
  }
  return whole;
}

/** The first part tells the title; of one that was too much for the thread there is nothing to add. */
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

  /** A PDF whose first pages are too much for the thread still says what it is called. */
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
