import type { EntityManager } from 'typeorm';

/** The articles of pages that were read, as text. */
export abstract class PageTexts {
  /** The texts by the ids of their pages, a line a paragraph; pages without an article are left out. */
  abstract of(
    pageIds: readonly string[],
    manager?: EntityManager,
  ): Promise<ReadonlyMap<string, string>>;
}
