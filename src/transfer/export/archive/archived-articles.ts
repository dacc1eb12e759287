import { Injectable } from '@nestjs/common';

import { ArticlesService, type OpenedItem } from '../../../articles/articles.service.js';
import { factsOf, lineOfFacts } from '../../../articles/epub/chapter.js';
import { PictureRepository } from '../../../articles/images/picture.repository.js';
import { ArticleReader } from '../../../articles/reading/article-reader.js';
import type { ShownArticle } from '../../../articles/reading/shown-article.js';
import { contentEntry, type ZipEntry } from '../../../lib/util/zipped.js';
import { patiently } from '../../../platform/jobs/patiently.js';
import type { ItemRow } from '../../../reading-list/entities/item.entity.js';
import { NOT_FETCHED } from '../../../reading-list/entities/page-columns.js';
import { mediaOf } from '../../../reading-list/get/page.presenter.js';
import { articlePage } from './archive-pages.js';
import type { ArchiveParts } from './archive-parts.js';

/** Writes the articles of items, with their stored pictures, as files of an archive. */
@Injectable()
export class ArchivedArticles {
  constructor(
    private readonly articles: ArticlesService,
    private readonly reader: ArticleReader,
    readonly pictures: PictureRepository,
  ) {}

  /** Yields the files of an item's article. Returns the path of its page, or undefined if there is no article. */
  async *files(row: ItemRow, parts: ArchiveParts): AsyncGenerator<ZipEntry, string | undefined> {
    const opened = await this.open(row, parts);
    const html = opened.page?.html;
    if (html === undefined) {
      parts.missing.articles += 1;
      return undefined;
    }
    const sources = picturesOf(opened);
    const stored = yield* parts.pictures.files(sources);
    const hrefs = new Map(sources.map((src) => [src, hrefOf(stored.get(src)) ?? src]));
    const shown = await this.shown(html, hrefs, parts);
    if (shown === undefined) {
      parts.missing.conversions += 1;
      return undefined;
    }
    const lead = sources.slice(0, 1).find((src) => !shown.placed.includes(src));
    const used = [...shown.placed, ...(lead === undefined ? [] : [lead])];
    parts.missing.pictures += shown.omitted + used.filter((src) => hrefs.get(src) === src).length;
    const path = `articles/${row.item_id}.html`;
    yield contentEntry(path, pageOf(opened, { shown, lead: hrefs.get(lead ?? '') }, parts));
    return path;
  }

  /** Needs no query for a page that was not fetched, because a long list can have many of them. */
  private async open(item: ItemRow, { userId }: ArchiveParts): Promise<OpenedItem> {
    return item.resolved_id === NOT_FETCHED
      ? { item, isWaiting: false, page: undefined }
      : this.articles.stored(userId, item);
  }

  /** Returns undefined if the article cannot be converted. */
  private shown(
    html: string,
    pictures: ReadonlyMap<string, string>,
    { translator: { language }, signal }: ArchiveParts,
  ): Promise<ShownArticle | undefined> {
    const task = { html, pictures, passages: [], language };
    return patiently(() => this.reader.show(task), signal);
  }
}

interface Shown {
  readonly shown: ShownArticle;
  readonly lead: string | undefined;
}

function pageOf(opened: OpenedItem, { shown, lead }: Shown, { translator }: ArchiveParts): string {
  const facts = factsOf(opened);
  return articlePage({ facts, line: lineOfFacts(facts, translator), lead, html: shown.html });
}

/** Returns the address of a file, relative to the folder of articles. */
const hrefOf = (path: string | undefined): string | undefined => path && `../${path}`;

/** Returns the web addresses of the article's pictures. */
const picturesOf = ({ item, page }: OpenedItem): readonly string[] => {
  const { images } = page?.page.item.media ?? mediaOf(item);
  return [...new Set(images.map(({ src }) => src))].filter((src) => /^https?:\/\//i.test(src));
};
