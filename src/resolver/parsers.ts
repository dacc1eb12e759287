import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';

import type { DocumentFacts } from './documents/document-facts.js';
import { PdfThread } from './documents/pdf-thread.js';
import { ExtractionPool } from './extraction/extraction-pool.js';
import type { PageContent, PageSource } from './extraction/page-content.js';

/** Parses what strangers wrote, in threads with limits of time and memory. */
@Injectable()
export class Parsers implements OnApplicationShutdown {
  private readonly logger = new Logger(Parsers.name);
  private pages: ExtractionPool | undefined;
  private pdfs: PdfThread | undefined;

  /** What it can within its limits: at worst nothing but what the head of the page says. */
  async html(source: PageSource): Promise<PageContent> {
    this.pages ??= new ExtractionPool();
    const { content, trouble } = await this.pages.extract(source);
    if (trouble !== undefined) {
      this.logger.debug(new Error('a page was too much for its thread', { cause: trouble }));
    }
    return content;
  }

  /** Nothing for what is no PDF, or takes too long. */
  async pdf(bytes: Uint8Array): Promise<DocumentFacts> {
    this.pdfs ??= new PdfThread();
    return this.pdfs.describe(bytes);
  }

  /** After those who read pages have stopped, and requests have ended. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.pages?.close(), this.pdfs?.close()]);
  }
}
