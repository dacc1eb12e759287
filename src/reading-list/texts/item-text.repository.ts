import { CustomRepository } from '../../platform/database/custom-repository.js';
import { isDistributed } from '../../platform/database/database.js';
import { queryRows } from '../../platform/database/query-rows.js';
import { ItemText } from '../entities/item-text.entity.js';
import { compiled, type CompiledTextQuery, type WordLexemes } from './compiled-query.js';
import { byUser, type DueKey, keysOf } from './due-text.repository.js';
import {
  CONFIGURATIONS,
  LANGUAGES,
  LEXEMES,
  MATCHING_WORDS,
  ownerWord,
  WRITE_TEXTS,
  WRITE_TEXTS_OF_USER,
} from './item-text.sql.js';
import { UNKNOWN_LANGUAGE } from './languages.js';
import { textQueryOf } from './text-query.js';

/** The words of an item for the full-text index, separated by spaces. */
export interface WrittenText extends DueKey {
  /** The PostgreSQL text search configuration for stemming the words. */
  readonly configuration: string;
  readonly title: string;
  readonly address: string;
  readonly excerpt: string;
  readonly body: string;
}

/** Returns the parameters $1 to $8 of WRITE_TEXTS. `known` contains the configurations that the database has. */
const columnsWith =
  (known: ReadonlySet<string>) =>
  (texts: readonly WrittenText[]): readonly string[][] => [
    ...keysOf(texts),
    texts.map(({ userId }) => ownerWord(userId)),
    texts.map(({ configuration: name }) => (known.has(name) ? name : UNKNOWN_LANGUAGE)),
    texts.map(({ title }) => title),
    texts.map(({ address }) => address),
    texts.map(({ excerpt }) => excerpt),
    texts.map(({ body }) => body),
  ];

/** Stores the full-text index of items. */
export class ItemTextRepository extends CustomRepository<ItemText> {
  static readonly entity = ItemText;

  /** Stores the words of items, unstemmed if the database lacks the configuration. */
  async writeTexts(texts: readonly WrittenText[]): Promise<void> {
    const known = await this.configurationsIn(texts);
    const columnsOf = columnsWith(known);
    if (!isDistributed(this.manager)) {
      await queryRows(this.manager, WRITE_TEXTS, columnsOf(texts));
      return;
    }
    for (const [userId, ofUser] of byUser(texts)) {
      await queryRows(this.manager, WRITE_TEXTS_OF_USER, [...columnsOf(ofUser), userId]);
    }
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
