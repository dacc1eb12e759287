import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';

import type { DocumentTask } from './documents/describe-document.worker.js';
import type { DescribedDocument } from './documents/document-facts.js';
import { DocumentThread } from './documents/document-thread.js';
import { EXTRACTION_LIMITS, type ExtractionLimits } from './extraction/extraction-limits.js';
import { type EncodedPage, type Extraction, ExtractionPool } from './extraction/extraction-pool.js';
import type { PageSource } from './extraction/page-content.js';
import { UserTurns } from './user-turns.js';

/** Where they differ from those of the service: tests wait longer for a thread on a busy machine. */
export interface ParserLimits {
  readonly pages?: Partial<ExtractionLimits>;
  readonly documentMs?: number;
}

/** Whose turn it is, for each of the threads. */
interface Turns {
  readonly pages: UserTurns;
  readonly pdfs: UserTurns;
  readonly others: UserTurns;
}

/** Parses what strangers wrote, in threads with limits of time and memory; users take turns. */
@Injectable()
export class Parsers implements OnApplicationShutdown {
  private readonly logger = new Logger(Parsers.name);
  private pages: ExtractionPool | undefined;
  private pdfs: DocumentThread | undefined;
  private others: DocumentThread | undefined;

  private readonly turns: Turns;

  constructor(private readonly limits: ParserLimits = {}) {
    this.turns = {
      pages: new UserTurns(limits.pages?.threads ?? EXTRACTION_LIMITS.threads),
      pdfs: new UserTurns(1),
      others: new UserTurns(1),
    };
  }

  /** What it can within its limits: at worst nothing but what the head of the page says. */
  async html(
    userId: string,
    page: PageSource | EncodedPage,
    signal?: AbortSignal,
  ): Promise<Extraction> {
    const pages = (this.pages ??= new ExtractionPool(this.limits.pages));
    const extraction = await this.turns.pages.run(userId, () => pages.extract(page, signal));
    if (extraction.trouble !== undefined) {
      const error = new Error('a page was too much for its thread', { cause: extraction.trouble });
      this.logger.debug(error);
    }
    return extraction;
  }

  /** Nothing for what is not what it seems, or takes too long. PDFs, which take longest, wait for each other alone. */
  async document(
    userId: string,
    task: DocumentTask,
    signal?: AbortSignal,
  ): Promise<DescribedDocument> {
    const isPdf = task.kind === 'pdf';
    const thread = isPdf
      ? (this.pdfs ??= new DocumentThread(this.limits.documentMs))
      : (this.others ??= new DocumentThread(this.limits.documentMs));
    const turns = isPdf ? this.turns.pdfs : this.turns.others;
    return turns.run(userId, () => thread.describe(task, signal));
  }

  /** The last jobs and requests have ended by then: none takes the end of its thread for the fault of its page. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.pages?.close(), this.pdfs?.close(), this.others?.close()]);
  }
}
