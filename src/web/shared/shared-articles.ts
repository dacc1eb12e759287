import { Injectable } from '@nestjs/common';

import { ArticlesService, type OpenedItem } from '../../articles/articles.service.js';
import type { DeviceImage } from '../../articles/images/conversion-process.js';
import { ImagesService } from '../../articles/images/images.service.js';
import { ArticleReader } from '../../articles/reading/article-reader.js';
import type { TextLanguage } from '../../platform/i18n/languages.js';
import { ItemRepository } from '../../reading-list/list/item.repository.js';
import { type OpenedShare, Sharing } from '../../reading-list/sharing/sharing.service.js';
import { Pages } from '../pages.js';
import { langOf, shownItemOf } from '../reader/article/article-model.js';
import { firstPicture } from '../reader/article/lead-picture.js';
import { publicNameOf } from './public-name.js';
import type { SharedArticleModel } from './shared-article.view.js';

/** A shared item with its stored page. */
interface SharedArticle extends OpenedShare {
  readonly opened: OpenedItem;
}

/** Finds the articles that public links show. */
@Injectable()
export class SharedArticles {
  // eslint-disable-next-line @typescript-eslint/max-params -- the container passes them, by their types
  constructor(
    private readonly sharing: Sharing,
    private readonly items: ItemRepository,
    private readonly articles: ArticlesService,
    private readonly reader: ArticleReader,
    private readonly images: ImagesService,
    private readonly pages: Pages,
  ) {}

  /** Returns the article that a public link shows, or undefined if the link shows nothing. */
  async show(token: string, language: TextLanguage): Promise<SharedArticleModel | undefined> {
    const shared = await this.find(token);
    if (shared === undefined) {
      return undefined;
    }
    const { opened, owner, includesNote, userId, itemId } = shared;
    const pictures = this.picturesOf(token, opened);
    const html = opened.page?.html;
    const [shown, note] = await Promise.all([
      html === undefined
        ? undefined
        : this.reader.show({ html, pictures, language, passages: [], position: undefined }),
      includesNote ? this.items.noteOf(userId, itemId) : '',
    ]);
    const { title, site, originalHref, minutes } = shownItemOf(opened);
    return {
      item: { title, site, originalHref, minutes },
      note,
      isUnlisted: true,
      sharedBy: publicNameOf(owner),
      lang: langOf(opened.item),
      html: shown?.html,
      picture: firstPicture(opened, pictures, shown),
    };
  }

  /**
   * Returns a picture of the article that a public link shows. Pictures are numbered from 1.
   * @throws ServiceBusyError
   */
  async picture(token: string, number: number): Promise<DeviceImage | undefined> {
    const shared = await this.find(token);
    const pageId = shared?.opened.page?.pageId;
    return shared === undefined || pageId === undefined
      ? undefined
      : this.images.findShared(shared.userId, { pageId, number });
  }

  private async find(token: string): Promise<SharedArticle | undefined> {
    const shared = await this.sharing.open(token);
    if (shared === undefined) {
      return undefined;
    }
    const { userId, itemId } = shared;
    const row = (await this.items.rowsById(userId, [itemId])).get(itemId);
    return row && { ...shared, opened: await this.articles.stored(userId, row) };
  }

  /** Returns the addresses of the pictures below the public link, keyed by the original addresses. */
  private picturesOf(token: string, { page }: OpenedItem): ReadonlyMap<string, string> {
    const images = page?.page.item.media.images ?? [];
    return new Map(
      images.map(({ src }, at): [string, string] => [
        src,
        this.pages.at(`/shared/${token}/pictures/${at + 1}`),
      ]),
    );
  }
}
