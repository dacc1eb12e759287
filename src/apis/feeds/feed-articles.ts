import { Injectable } from '@nestjs/common';
import { escapeUTF8 } from 'entities';

import { ArticlesService, type OpenedItem } from '../../articles/articles.service.js';
import { ImageAddresses } from '../../articles/images/image-addresses.js';
import { ArticleReader } from '../../articles/reading/article-reader.js';
import { ServiceBusyError } from '../../platform/common/common.errors.js';
import type { TextLanguage } from '../../platform/i18n/languages.js';
import { translatorTo } from '../../platform/i18n/translator.js';
import type { ItemRow } from '../../reading-list/entities/item.entity.js';
import { NOT_FETCHED } from '../../reading-list/entities/page-columns.js';
import { lineOf } from './feed-values.js';

/** The maximum length of an article in a feed, in UTF-16 code units of its HTML. */
const LONGEST_ARTICLE = 200_000;
/** The maximum length of all articles in a feed together. Feed readers reject very large feeds. */
const LONGEST_FEED = 2_000_000;

/** The address of the service, and the language of the user of the feed. */
export interface FeedPlace {
  readonly base: string;
  readonly language: TextLanguage;
}

/** Converts the articles of items to HTML for feed readers. */
@Injectable()
export class FeedArticles {
  constructor(
    private readonly articles: ArticlesService,
    private readonly reader: ArticleReader,
    private readonly addresses: ImageAddresses,
  ) {}

  /**
   * Returns the articles, keyed by item id. An article that is too long for the feed is replaced with its excerpt and a
   * link to Satchel. Items without an article have no entry.
   */
  async of(
    userId: string,
    rows: readonly ItemRow[],
    place: FeedPlace,
  ): Promise<ReadonlyMap<string, string>> {
    const contents = new Map<string, string>();
    let room = LONGEST_FEED;
    for (const row of rows.filter(({ resolved_id: id }) => id !== NOT_FETCHED)) {
      const content = await this.contentOf(userId, row, { ...place, room });
      if (content !== undefined) {
        contents.set(row.item_id, content);
        room -= content.length;
      }
    }
    return contents;
  }

  private async contentOf(
    userId: string,
    row: ItemRow,
    { room, ...place }: FeedPlace & { readonly room: number },
  ): Promise<string | undefined> {
    const most = Math.min(room, LONGEST_ARTICLE);
    const opened = await this.articles.stored(userId, row);
    const html = opened.page?.html;
    if (html === undefined) {
      return undefined;
    }
    const pictures = this.picturesOf(userId, opened, place.base);
    const shown = html.length > most ? undefined : await this.shown(html, pictures, place.language);
    return shown === undefined || shown.length > most ? excerptOf(row, place) : shown;
  }

  /** Returns undefined if too many articles are being converted. */
  private async shown(
    html: string,
    pictures: ReadonlyMap<string, string>,
    language: TextLanguage,
  ): Promise<string | undefined> {
    try {
      return (await this.reader.show({ html, pictures, passages: [], language })).html;
    } catch (error) {
      if (error instanceof ServiceBusyError) {
        return undefined;
      }
      throw error;
    }
  }

  /** Returns the addresses of the pictures, which a feed reader can fetch without a login. */
  private picturesOf(
    userId: string,
    { page }: OpenedItem,
    base: string,
  ): ReadonlyMap<string, string> {
    const images = page?.page.item.media.images ?? [];
    const pageId = page?.pageId ?? '';
    return new Map(
      images.map(({ src }, at): [string, string] => [
        src,
        `${base}${this.addresses.pathOf(userId, { pageId, number: at + 1, src })}`,
      ]),
    );
  }
}

function excerptOf(row: ItemRow, { base, language }: FeedPlace): string {
  const note = escapeUTF8(translatorTo(language).text('listFeeds.articleOmitted'));
  const link = `<p><a href="${escapeUTF8(`${base}/read/${row.item_id}`)}">${note}</a></p>`;
  return `<p>${escapeUTF8(lineOf(row.excerpt))}</p>${link}`;
}
