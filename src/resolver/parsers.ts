import type { DocumentFacts } from './documents/document-facts.js';
import type { PageContent, PageSource } from './extraction/page-content.js';

/** Parses what strangers wrote, within limits of time and memory. */
export abstract class Parsers {
  /** What it can within its limits: at worst nothing but what the head of the page says. */
  abstract html(source: PageSource): Promise<PageContent>;

  /** Nothing for what is no PDF, or takes too long. */
  abstract pdf(bytes: Uint8Array): Promise<DocumentFacts>;
}
