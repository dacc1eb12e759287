import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';

import type { DocumentTask } from '../../lib/extraction/documents/describe-document.worker.js';
import type { DescribedDocument } from '../../lib/extraction/documents/document-facts.js';
import { describeInParts, DocumentThread } from '../../lib/extraction/documents/document-thread.js';
import {
  type EncodedPage,
  type Extraction,
  EXTRACTION_LIMITS,
  type ExtractionLimits,
  ExtractionPool,
} from '../../lib/extraction/extraction-pool.js';
import type { PageSource } from '../../lib/extraction/page-content.js';
import { FairQueue } from '../../platform/jobs/fair-queue.js';

/**
 * Limits for parsing in worker threads. Tests raise the limits, because threads start slowly on a
 * busy machine.
 */
export interface ParserLimits {
  readonly pages?: Partial<ExtractionLimits>;
  readonly documentMs?: number;
}

/** The queues of pages to parse. Each kind of worker thread has a queue. */
interface Queues {
  readonly pages: FairQueue;
  readonly pdfs: FairQueue;
  readonly others: FairQueue;
}

/**
 * Parses untrusted documents in worker threads with time and memory limits. Users are served in
 * turn, so one user cannot block the threads.
 */
@Injectable()
export class Parsers implements OnApplicationShutdown {
  private readonly logger = new Logger(Parsers.name);
  private pages: ExtractionPool | undefined;
  private pdfs: DocumentThread | undefined;
  private others: DocumentThread | undefined;

  private readonly queues: Queues;

  constructor(private readonly limits: ParserLimits = {}) {
    this.queues = {
      pages: new FairQueue({ concurrency: limits.pages?.threads ?? EXTRACTION_LIMITS.threads }),
      pdfs: new FairQueue({ concurrency: 1 }),
      others: new FairQueue({ concurrency: 1 }),
    };
  }

  /**
   * Parses an HTML page. If the page exceeds the limits, returns the data that was extracted before
   * the abort, which is at least the data in the head of the page.
   */
  async html(
    userId: string,
    page: PageSource | EncodedPage,
    signal?: AbortSignal,
  ): Promise<Extraction> {
    const pages = (this.pages ??= new ExtractionPool(this.limits.pages));
    const extraction = await this.queues.pages.run(userId, () => pages.extract(page, signal));
    if (extraction.trouble !== undefined) {
      const error = new Error('a page was too much for its thread', { cause: extraction.trouble });
      this.logger.debug(error);
    }
    return extraction;
  }

  /**
   * Parses a document that is not an HTML page. Returns an empty description if the document is invalid or takes too
   * long. PDFs take longest, so they have a separate thread, and each part of a long PDF is queued separately.
   */
  async document(
    userId: string,
    task: DocumentTask,
    signal?: AbortSignal,
  ): Promise<DescribedDocument> {
    const isPdf = task.kind === 'pdf';
    const thread = isPdf
      ? (this.pdfs ??= new DocumentThread(this.limits.documentMs))
      : (this.others ??= new DocumentThread(this.limits.documentMs));
    const queue = isPdf ? this.queues.pdfs : this.queues.others;
    return describeInParts(task, (part) =>
      queue.run(userId, () => thread.describe(part(), signal)),
    );
  }

  /**
   * Waits for running jobs before it ends the parser threads. A thread that ended during a job
   * would wrongly mark the page as failed.
   */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.pages?.close(), this.pdfs?.close(), this.others?.close()]);
  }
}
