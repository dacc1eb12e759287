import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { decompressedText } from '../../lib/util/compressed-text.js';
import { yieldToOthers } from '../../lib/util/event-loop.js';
import { PageTexts } from '../../reading-list/page-texts.js';
import { articleText } from './article-text.js';
import { PageRepository } from './page.repository.js';

/**
 * The maximum number of characters of an article's text. The word index of an article contains fewer characters
 * (texts/text-indexer.ts).
 */
const MOST_CHARACTERS = 1_000_000;

/** Computes the text of articles from their stored HTML. Storing the texts too would need 50 % more space. */
@Injectable()
export class StoredPageTexts extends PageTexts {
  constructor(private readonly pages: PageRepository) {
    super();
  }

  override async of(
    pageIds: readonly string[],
    manager?: EntityManager,
  ): Promise<ReadonlyMap<string, string>> {
    const pages = manager?.withRepository(this.pages) ?? this.pages;
    const stored = pageIds.length === 0 ? [] : await pages.findArticles(pageIds);
    const articles = await Promise.all(
      stored.map(async ({ pageId, article }) => [pageId, await decompressedText(article)] as const),
    );
    const texts = new Map<string, string>();
    for (const [pageId, html] of articles) {
      texts.set(pageId, await beginningOf(html));
    }
    return texts;
  }
}

/**
 * Returns the beginning of an article's text. Lets other work of the process run between the pieces, because an article
 * of 10 MB takes a quarter of a second.
 */
async function beginningOf(html: string): Promise<string> {
  let text = '';
  for (const piece of articleText(html)) {
    text += piece;
    if (text.length > MOST_CHARACTERS) {
      break;
    }
    await yieldToOthers();
  }
  return text.trim();
}
