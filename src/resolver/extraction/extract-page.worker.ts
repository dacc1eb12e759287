import { extractHead, extractPage } from './extract-page.js';
import type { PageContent, PageSource } from './page-content.js';

/** What a thread of the pool is asked to do. */
export interface ExtractionTask {
  readonly source: PageSource;
  /** All of the page, or only what its head says. */
  readonly part: 'page' | 'head';
}

const EXTRACTORS = { page: extractPage, head: extractHead } as const;

export default ({ source, part }: ExtractionTask): PageContent => EXTRACTORS[part](source);
