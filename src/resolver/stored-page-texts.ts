import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { decompressedText } from '../common/compressed-text.js';
import { yieldToOthers } from '../common/event-loop.js';
import { PageTexts } from '../reading-list/page-texts.js';
import { articleText } from './article-text.js';
import { PageRepository } from './page.repository.js';

/** The texts of articles, made of their stored HTML: to store them too would take half as much again. */
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
      texts.set(pageId, articleText(html));
      await yieldToOthers();
    }
    return texts;
  }
}
