import type { EntityManager } from 'typeorm';

import { run } from '../../database/statements.js';
import { facetMoves } from './facet.js';
import { searchText, titleKey } from './item-keys.js';
import type { ItemMedia } from './item-row.js';
import { loadSlice } from './list.loader.js';
import { lockList } from './list.lock.js';
import { writeList } from './list-counters.js';
import { needsSearchIndex, writeSearchIndex } from './search-writer.js';
import type { StoredItem } from './stored-slice.js';

/** What an item shows of its page. */
export interface ItemPage {
  /** Decimal text. */
  readonly pageId: string;
  readonly resolvedUrl: string;
  readonly resolvedTitle: string;
  readonly excerpt: string;
  readonly lang: string;
  readonly isArticle: boolean;
  readonly isIndex: boolean;
  /** 0 none, 1 has some, 2 is one. */
  readonly hasImage: 0 | 1 | 2;
  readonly hasVideo: 0 | 1 | 2;
  readonly wordCount: number;
  readonly topImageUrl: string;
  readonly media: ItemMedia;
}

/** What a page makes of an item; JSON has no equality but that of its text. */
const SHOWN =
  `resolved_id resolved_url resolved_title excerpt lang is_article is_index has_image has_video
  word_count top_image_url media::text`.split(/\s+/);
const shown = (of: string): string => SHOWN.map((column) => `${of}.${column}`).join(', ');

/** A page that is as it was changes nothing. The person's own times and states stay as they are. */
const UPDATE = `
    UPDATE items AS item
    SET stamp = $2, resolved_id = row.resolved_id, resolved_url = row.resolved_url, resolved_title = row.resolved_title,
        excerpt = row.excerpt, lang = row.lang, is_article = row.is_article, is_index = row.is_index,
        has_image = row.has_image, has_video = row.has_video, word_count = row.word_count,
        top_image_url = row.top_image_url, media = row.media, title_key = row.title_key, search_text = row.search_text
    FROM json_to_recordset($3::json) AS row (item_id bigint, resolved_id bigint, resolved_url text, resolved_title text,
      excerpt text, lang text, is_article smallint, is_index smallint, has_image smallint, has_video smallint,
      word_count integer, top_image_url text, media json, title_key text, search_text text)
    WHERE item.user_id = $1 AND item.item_id = row.item_id AND ROW (${shown('item')}) IS DISTINCT FROM ROW (${shown('row')})
    RETURNING item.item_id`;

/** Writes what was found out about pages to those of the items that are still there, in the caller's transaction. */
export async function recordPages(
  manager: EntityManager,
  userId: string,
  pages: ReadonlyMap<string, ItemPage>,
): Promise<void> {
  const list = await lockList(manager, userId);
  const wanted = { itemIds: [...pages.keys()], tagIds: [] };
  const { items } = await loadSlice(manager, userId, wanted);
  const found = items.flatMap((item) => {
    const page = pages.get(item.itemId);
    return page === undefined ? [] : [{ item, page }];
  });
  const values = [userId, list.nextStamp, JSON.stringify(found.map(rowOf))];
  const changed = await run<{ item_id: string }>(manager, { text: UPDATE, values });
  if (changed.length === 0) {
    return;
  }
  const reindexed = changed.map(({ item_id: itemId }) => itemId);
  await writeSearchIndex(manager, userId, list, { deleted: [], reindexed });
  await writeList(manager, userId, list, {
    itemCount: 0,
    additions: 0,
    hasSearchIndex: needsSearchIndex(list),
    facetMoves: facetMoves(
      found.map(({ item }) => ({ ...item, tagIds: item.tags })),
      found.map(({ item, page }) => ({ ...item, tagIds: item.tags, kind: kindOf(page) })),
    ),
  });
}

interface Found {
  readonly item: StoredItem;
  readonly page: ItemPage;
}

function rowOf({ item, page }: Found): object {
  const texts = { ...item, ...page };
  return {
    item_id: item.itemId,
    resolved_id: page.pageId,
    resolved_url: page.resolvedUrl,
    resolved_title: page.resolvedTitle,
    excerpt: page.excerpt,
    lang: page.lang,
    is_article: Number(page.isArticle),
    is_index: Number(page.isIndex),
    has_image: page.hasImage,
    has_video: page.hasVideo,
    word_count: page.wordCount,
    top_image_url: page.topImageUrl,
    media: page.media,
    title_key: titleKey(texts),
    search_text: searchText(texts),
  };
}

/** As `items.facet` says it in SQL. */
const kindOf = ({ isArticle, hasVideo, hasImage }: ItemPage): number =>
  (isArticle ? 8 : 0) | (hasVideo > 0 ? 16 : 0) | (hasImage === 2 ? 32 : 0);
