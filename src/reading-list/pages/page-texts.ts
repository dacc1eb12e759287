import type { EntityManager } from 'typeorm';

/** Provides the articles of fetched pages as text. StoredPageTexts in articles/resolver/ implements this class. */
export abstract class PageTexts {
  /** Returns the articles by page id, with one line per paragraph. Leaves out pages without an article. */
  abstract of(
    pageIds: readonly string[],
    manager?: EntityManager,
  ): Promise<ReadonlyMap<string, string>>;
}
