import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { decompressedText } from '../../lib/util/compressed-text.js';
import { yieldToOthers } from '../../lib/util/event-loop.js';
import { PageTexts } from '../../reading-list/pages/page-texts.js';
import { PageRepository } from './page.repository.js';

/**
 * The maximum number of characters of an article's text. Longer texts are not needed, because the word index of an
 * article has at most 800,000 bytes (texts/text-indexer.ts).
 */
const MOST_CHARACTERS = 1_000_000;

/**
 * Computes the text of articles from their stored HTML. The database does not contain the texts,
 * because they would need 50 % more space.
 */
@Injectable()
export class StoredPageTexts extends PageTexts {
  constructor(private readonly pages: PageRepository) {
    super();
  }

  override async of(
    pageIds: readonly string[],
    manager?: EntityManager,
  ): Promise<ReadonlyMap<string, string>> {
    const pages = manager === undefined ? this.pages : PageRepository.in(manager);
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
 * Returns the beginning of an article's text. Converts the article in chunks and yields to the
 * event loop between two chunks, because the conversion of 10 MB takes a quarter of a second.
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

/** Matches the tags of inline elements. Every other tag ends a line of the text. */
const INLINE =
  /^<\/?(?:a|abbr|b|bdi|bdo|cite|code|del|dfn|em|i|ins|kbd|mark|q|rp|rt|ruby|s|samp|small|span|strong|sub|sup|time|u|var|wbr)\b/;
const TAG = /<[^<>]*>/g;
const ENTITY = /&(?:amp|lt|gt|quot);/g;
const CHARACTERS: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
};

/** The minimum number of HTML characters in one chunk. A chunk always ends before a tag. */
const PIECE = 65_536;

/**
 * Yields the text of a stored article in chunks, with one line per paragraph. Decodes only the four
 * entities that the sanitize-html library writes.
 */
function* articleText(html: string): Generator<string> {
  for (let from = 0; from < html.length;) {
    const next = html.indexOf('<', from + PIECE);
    const to = next < 0 ? html.length : next;
    yield pieceOfText(html.slice(from, to));
    from = to;
  }
}

const pieceOfText = (html: string): string =>
  html
    .replaceAll(TAG, (tag) => (INLINE.test(tag) ? '' : '\n'))
    .replaceAll(ENTITY, (entity) => CHARACTERS[entity] ?? entity)
    .replaceAll(/\s+/g, (blanks) => (blanks.includes('\n') ? '\n' : blanks));
