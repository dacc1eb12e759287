import { Injectable } from '@nestjs/common';

import { yieldToOthers } from '../../lib/util/event-loop.js';
import type { ItemRow } from '../entities/item.entity.js';
import { PageTexts } from '../pages/page-texts.js';
import { ItemTextRepository } from './item-text.repository.js';
import { configurationFor } from './languages.js';
import { type Passage, PlacedWords } from './passage.js';

export type PassagesByItem = ReadonlyMap<string, Passage>;

/**
 * The maximum number of items with passages in one response. Only API clients request more items, and they do not show
 * passages.
 */
const MOST_ITEMS = 100;

/** Languages in which inflection can also change the beginning of a word. */
const CHANGING_BEGINNINGS = new Set(['arabic', 'indonesian', 'irish']);
/**
 * A word and its stem begin with this many equal characters, except in the languages of
 * CHANGING_BEGINNINGS.
 */
const ALIKE = 2;

/** Finds the parts of articles that match a text search. */
@Injectable()
export class Passages {
  constructor(
    private readonly texts: ItemTextRepository,
    private readonly pages: PageTexts,
  ) {}

  /**
   * Returns the matching parts of articles, keyed by item id. Searches only the articles of the
   * first hundred items. Omits an item if its article does not match, for example because only its
   * title matches.
   */
  async of(userId: string, text: string, rows: readonly ItemRow[]): Promise<PassagesByItem> {
    const query = await this.texts.compile(userId, text);
    if (query === undefined || rows.length === 0) {
      return new Map();
    }
    const shown = rows.slice(0, MOST_ITEMS);
    const articles = await this.articlesOf(shown);
    const words = articles.flatMap(({ language, words: placed }) =>
      likely(placed, language, query.lexemes).map((word) => ({ word, language })),
    );
    const matching = await this.texts.matching(words, query.lexemes);
    return new Map(
      articles.flatMap(({ itemId, words: placed }) => {
        const passage = placed.passage(matching);
        return passage === undefined ? [] : [[itemId, passage] as const];
      }),
    );
  }

  private async articlesOf(rows: readonly ItemRow[]): Promise<FoundArticle[]> {
    const articles = await this.pages.of(rows.map(({ resolved_id: pageId }) => pageId));
    const found: FoundArticle[] = [];
    for (const { item_id: itemId, resolved_id: pageId, lang } of rows) {
      const text = articles.get(pageId);
      if (text !== undefined) {
        const language = configurationFor(lang);
        found.push({ itemId, language, words: new PlacedWords(text) });
        await yieldToOthers();
      }
    }
    return found;
  }
}

interface FoundArticle {
  readonly itemId: string;
  readonly language: string;
  readonly words: PlacedWords;
}

/**
 * Returns the words of a text that may have one of the stems in `lexemes`. Compares only the
 * beginnings of words and stems.
 */
function likely(words: PlacedWords, language: string, lexemes: readonly string[]): string[] {
  const distinct = [...words.distinct()];
  if (CHANGING_BEGINNINGS.has(language)) {
    return distinct;
  }
  const beginnings = new Set(lexemes.map((lexeme) => lexeme.slice(0, ALIKE)));
  return distinct.filter((word) => beginnings.has(word.slice(0, ALIKE)));
}
