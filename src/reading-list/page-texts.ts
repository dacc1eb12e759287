import type { EntityManager } from 'typeorm';

/** The articles of fetched pages, as text. */
export abstract class PageTexts {
  /** Returns the texts by page id, with one line per paragraph. Pages without an article are left out. */
  abstract of(
    pageIds: readonly string[],
    manager?: EntityManager,
  ): Promise<ReadonlyMap<string, string>>;
}
