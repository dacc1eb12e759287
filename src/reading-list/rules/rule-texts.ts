import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { DueTextRepository } from '../texts/due-text.repository.js';
import { TextIndexer } from '../texts/text-indexer.js';
import type { ListRule } from './list-rule.entity.js';
import { filterOf } from './rule-matches.js';

/** The words of new items are not indexed yet, so a full-text search would not find them. */
class TextsNotIndexedError extends Error {}

/** New items that rules check at a time. */
interface CheckedItems {
  readonly userId: string;
  readonly itemIds: readonly string[];
  readonly now: Date;
}

/** Indexes the words of new items before rules with a full-text search check them. */
@Injectable()
export class RuleTexts {
  constructor(private readonly indexer: TextIndexer) {}

  /** Indexes the items if any of the rules needs their words. */
  async indexFor(
    rules: readonly ListRule[],
    { userId, itemIds, now }: CheckedItems,
  ): Promise<void> {
    if (needWords(rules, now)) {
      await this.indexer.writeNow(userId, itemIds);
    }
  }

  /**
   * Requires the lock of the list, so that the words stay as they are.
   * @throws TextsNotIndexedError if a rule needs words that have changed since, or that another process is indexing
   */
  async checkIndexed(
    manager: EntityManager,
    rules: readonly ListRule[],
    { userId, itemIds, now }: CheckedItems,
  ): Promise<void> {
    const dueTexts = DueTextRepository.in(manager);
    if (needWords(rules, now) && (await dueTexts.hasAnyOf(userId, itemIds))) {
      throw new TextsNotIndexedError();
    }
  }
}

const needWords = (rules: readonly ListRule[], now: Date): boolean =>
  rules.some(({ list }) => filterOf(list, now)?.text !== undefined);
