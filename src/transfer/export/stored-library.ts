import type { EntityManager } from 'typeorm';

import { decompressedText } from '../../common/compressed-text.js';
import { run } from '../../database/statements.js';
import type { ItemMedia } from '../../reading-list/list/item-row.js';
import type { AnnotatedItem, ExportedItem, ExportedPage, Library } from './exported-item.js';
import { ItemRows } from './item-rows.js';

const PAGE = `
    SELECT resolved_url, resolved_title, excerpt, lang, word_count, top_image_url, media, article
    FROM items LEFT JOIN pages ON page_id = resolved_id
    WHERE user_id = $1 AND items.item_id = $2 AND resolved_id <> 0`;

interface PageColumns extends Record<string, unknown> {
  readonly resolved_url: string;
  readonly resolved_title: string;
  readonly excerpt: string;
  readonly lang: string;
  readonly word_count: number;
  readonly top_image_url: string;
  readonly media: ItemMedia | null;
  /** Compressed. */
  readonly article: Buffer | null;
}

/** The library of one person, seen through one connection. */
export class StoredLibrary implements Library {
  private readonly rows: ItemRows;

  constructor(
    private readonly manager: EntityManager,
    private readonly userId: string,
  ) {
    this.rows = new ItemRows(manager, userId);
  }

  newestFirst(): AsyncIterable<ExportedItem> {
    return this.rows.newestFirst();
  }

  annotatedItems(): AsyncIterable<AnnotatedItem> {
    return this.rows.oldestFirst();
  }

  async page(itemId: string): Promise<ExportedPage | undefined> {
    const values = [this.userId, itemId];
    const [row] = await run<PageColumns>(this.manager, { text: PAGE, values });
    return row && pageOf(row);
  }
}

const pageOf = async (row: PageColumns): Promise<ExportedPage> => ({
  resolvedUrl: row.resolved_url,
  title: row.resolved_title,
  excerpt: row.excerpt,
  lang: row.lang,
  wordCount: row.word_count,
  topImageUrl: row.top_image_url,
  authors: (row.media?.authors ?? []).map(({ name, url }) => ({ name, url })),
  article: row.article === null ? undefined : await decompressedText(row.article),
});
