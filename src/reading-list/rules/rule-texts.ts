import { Injectable } from '@nestjs/common';

import { DueTextRepository } from '../texts/item-text.repository.js';
import { TextIndexer } from '../texts/text-indexer.js';
import type { ListRule } from './list-rule.entity.js';
import { filterOf } from './rule-matches.js';

/** The words of new items are still being indexed, so a full-text search would not find them. */
class TextsNotIndexedError extends Error {}

/** Indexes the words of new items before rules with a full-text search check them. */
@Injectable()
export class RuleTexts {
  constructor(
    private readonly indexer: TextIndexer,
    private readonly dueTexts: DueTextRepository,
  ) {}

  /**
   * Indexes the items if any of the rules needs their words.
   * @throws TextsNotIndexedError if another process is indexing one of the items
   */
  async indexFor(
    rules: readonly ListRule[],
    { itemIds, now }: { readonly itemIds: readonly string[]; readonly now: Date },
  ): Promise<void> {
    const [rule] = rules.filter(({ list }) => filterOf(list, now)?.text !== undefined);
    if (rule === undefined) {
      return;
    }
    const { userId } = rule;
    await this.indexer.writeNow(userId, itemIds);
    if (await this.dueTexts.hasAnyOf(userId, itemIds)) {
      throw new TextsNotIndexedError();
    }
  }
}
