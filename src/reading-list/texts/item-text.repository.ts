import { Any, type EntityManager, Not } from 'typeorm';

import { CustomRepository } from '../../platform/database/custom-repository.js';
import { isDistributed } from '../../platform/database/database.js';
import { queryRows } from '../../platform/database/query-rows.js';
import { DueText } from '../entities/due-text.entity.js';
import { Item } from '../entities/item.entity.js';
import { ItemText } from '../entities/item-text.entity.js';
import type { ItemTexts } from '../list/item-texts.js';
import { compiled, type CompiledTextQuery, type WordLexemes } from './compiled-query.js';
import {
  AWAIT_CHANGE,
  CONFIGURATIONS,
  DELETE_DUE,
  LANGUAGES,
  LEXEMES,
  LOCK_DUE,
  MARK_DUE,
  MATCHING_WORDS,
  ownerWord,
  READ_TEXTS,
  WRITE_TEXTS,
} from './item-text.sql.js';
import { UNKNOWN_LANGUAGE } from './languages.js';
import { textQueryOf } from './text-query.js';

/** The key of an item whose words must be indexed. */
interface DueKey {
  readonly userId: string;
  readonly itemId: string;
}

export interface DueItem extends DueKey, ItemTexts {
  readonly excerpt: string;
  readonly lang: string;
  /** The id of the fetched page. "0" until the page is fetched. */
  readonly pageId: string;
}

interface LockedTexts {
  readonly due: readonly DueKey[];
  readonly items: readonly DueItem[];
}

/** The words of an item for the full-text index, separated by spaces. */
export interface WrittenText {
  readonly itemId: string;
  /** The PostgreSQL text search configuration for stemming the words. */
  readonly configuration: string;
  readonly title: string;
  readonly address: string;
  readonly excerpt: string;
  readonly body: string;
}

/**
 * Stores the queue of items whose words must be indexed. The items that were queued last are indexed first, so that
 * newly saved items do not wait until an import is indexed.
 */
export class DueTextRepository extends CustomRepository<DueText> {
  static readonly entity = DueText;

  /** Returns the items that were queued last, except those of `postponed` users. */
  latest(limit: number, postponed: readonly string[]): Promise<DueText[]> {
    const where = postponed.length > 0 ? { userId: Not(Any([...postponed])) } : {};
    return this.find({ where, order: { markedAt: 'DESC' }, take: limit });
  }

  /** Returns true if at least one item of the user is queued. */
  hasOf(userId: string): Promise<boolean> {
    return this.existsBy({ userId });
  }

  /** Returns true if at least one of these items is queued. */
  hasAnyOf(userId: string, itemIds: readonly string[]): Promise<boolean> {
    return this.existsBy({ userId, itemId: Any([...itemIds]) });
  }

  /**
   * Locks the given items in the queue and reads their texts. Skips items that another process has locked. Requires a
   * transaction.
   */
  async lock(keys: readonly DueKey[]): Promise<LockedTexts> {
    const locked = await queryRows<DueKey>(this.manager, LOCK_DUE, keysOf(keys));
    const items: DueItem[] = [];
    // Read the texts only after the lock. They then include the changes for which the items were
    // queued.
    for (const [userId, itemIds] of byUser(locked)) {
      items.push(...(await queryRows<DueItem>(this.manager, READ_TEXTS, [userId, itemIds])));
    }
    return { due: locked, items };
  }

  /**
   * Removes items from the indexing queue: the items in `written`, and the items in `due` that no
   * longer exist.
   */
  async finish(due: readonly DueKey[], written: readonly DueKey[]): Promise<void> {
    const isWritten = new Set(written.map(keyOf));
    const others = due.filter((key) => !isWritten.has(keyOf(key)));
    const gone = await this.goneOf(others);
    await queryRows(this.manager, DELETE_DUE, keysOf([...written, ...gone]));
  }

  /** Returns the keys of the items that do not exist. */
  private async goneOf(keys: readonly DueKey[]): Promise<DueKey[]> {
    const missing = await this.missingOf(keys);
    if (missing.length === 0 || !isDistributed(this.manager)) {
      return missing;
    }
    // The change that has queued an item may be committed here, but not yet on the server of the list. It holds the lock
    // of the list until then.
    for (const userId of byUser(missing).keys()) {
      await queryRows(this.manager, AWAIT_CHANGE, [userId]);
    }
    return this.missingOf(missing);
  }

  private async missingOf(keys: readonly DueKey[]): Promise<DueKey[]> {
    const there = await this.itemsThere(keys);
    return keys.filter((key) => !there.has(keyOf(key)));
  }

  /** Returns the keys of those items that still exist. */
  private async itemsThere(keys: readonly DueKey[]): Promise<ReadonlySet<string>> {
    const there = new Set<string>();
    for (const [userId, itemIds] of byUser(keys)) {
      const where = { userId, itemId: Any([...itemIds]) };
      const items = await this.manager.find(Item, {
        select: { userId: true, itemId: true },
        where,
      });
      items.map(keyOf).forEach((key) => there.add(key));
    }
    return there;
  }
}

const keyOf = ({ userId, itemId }: DueKey): string => `${userId}/${itemId}`;

/** Groups item ids by user, because the rows of different users may be on different database servers. */
export function byUser(keys: readonly DueKey[]): ReadonlyMap<string, readonly string[]> {
  const users = new Set(keys.map(({ userId }) => userId));
  const itemsOf = (userId: string): string[] =>
    keys.filter((key) => key.userId === userId).map(({ itemId }) => itemId);
  return new Map([...users].map((userId) => [userId, itemsOf(userId)]));
}

const keysOf = (due: readonly DueKey[]): readonly string[][] => [
  due.map(({ userId }) => userId),
  due.map(({ itemId }) => itemId),
];

/** Stores the full-text index of items. */
export class ItemTextRepository extends CustomRepository<ItemText> {
  static readonly entity = ItemText;

  /** Stores the words of items of one user, unstemmed if the database lacks the configuration. */
  async writeTexts(userId: string, texts: readonly WrittenText[]): Promise<void> {
    const known = await this.configurationsIn(texts);
    await queryRows(this.manager, WRITE_TEXTS, [
      userId,
      ownerWord(userId),
      texts.map(({ itemId }) => itemId),
      texts.map(({ configuration: name }) => (known.has(name) ? name : UNKNOWN_LANGUAGE)),
      texts.map(({ title }) => title),
      texts.map(({ address }) => address),
      texts.map(({ excerpt }) => excerpt),
      texts.map(({ body }) => body),
    ]);
  }

  /**
   * Compiles a search for the languages of the user's texts. Returns undefined if the search contains no word to search
   * for.
   */
  async compile(userId: string, text: string): Promise<CompiledTextQuery | undefined> {
    const query = textQueryOf(text);
    const words = [...new Set(query.flatMap((terms) => terms.flatMap((term) => term.words)))];
    const lexemes = words.length === 0 ? [] : await this.lexemesOf(userId, words);
    return compiled(query, lexemes, ownerWord(userId));
  }

  /** Returns the configurations of the texts that the database has. Omits UNKNOWN_LANGUAGE. */
  private async configurationsIn(texts: readonly WrittenText[]): Promise<ReadonlySet<string>> {
    const names = new Set(texts.map(({ configuration }) => configuration));
    names.delete(UNKNOWN_LANGUAGE);
    const rows =
      names.size === 0
        ? []
        : await queryRows<{ name: string }>(this.manager, CONFIGURATIONS, [[...names]]);
    return new Set(rows.map(({ name }) => name));
  }

  private async lexemesOf(userId: string, words: readonly string[]): Promise<WordLexemes[]> {
    const rows = await queryRows<{ language: string }>(this.manager, LANGUAGES, [userId]);
    const languages = new Set([...rows.map(({ language }) => language), UNKNOWN_LANGUAGE]);
    return queryRows<WordLexemes>(this.manager, LEXEMES, [words, [...languages]]);
  }

  /** Returns the words whose stem is in `lexemes`. */
  async matching(
    words: readonly { readonly word: string; readonly language: string }[],
    lexemes: readonly string[],
  ): Promise<ReadonlySet<string>> {
    const columns = [words.map(({ word }) => word), words.map(({ language }) => language)];
    const rows = await queryRows<{ word: string }>(this.manager, MATCHING_WORDS, [
      ...columns,
      lexemes,
    ]);
    return new Set(rows.map(({ word }) => word));
  }
}

/** Queues items to be indexed again, in the caller's transaction. Does not check whether the items exist. */
export async function markTextsDue(
  manager: EntityManager,
  userId: string,
  itemIds: readonly string[],
): Promise<void> {
  if (itemIds.length > 0) {
    await queryRows(manager, MARK_DUE, [userId, itemIds]);
  }
}
