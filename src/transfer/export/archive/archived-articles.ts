import { Injectable } from '@nestjs/common';

import { ArticlesService, type OpenedItem } from '../../../articles/articles.service.js';
import { factsOf, lineOfFacts } from '../../../articles/epub/chapter.js';
import { PictureRepository } from '../../../articles/images/picture.repository.js';
import { ArticleReader } from '../../../articles/reading/article-reader.js';
import type { Passage } from '../../../articles/reading/passages.js';
import type { ShownArticle } from '../../../articles/reading/shown-article.js';
import { contentEntry, type ZipEntry } from '../../../lib/util/zipped.js';
import { patiently } from '../../../platform/jobs/patiently.js';
import type { ItemRow } from '../../../reading-list/entities/item.entity.js';
import { NOT_FETCHED } from '../../../reading-list/entities/page-columns.js';
import { mediaOf } from '../../../reading-list/get/page.presenter.js';
import { articlePage, noArticle } from './archive-pages.js';
import type { ArchiveParts } from './archive-parts.js';
import { ArchivedNotes, type ItemNotes, notesHtml, passagesIn } from './archived-notes.js';

/** The page of an item in an archive. */
interface ArchivedPage {
  /** Undefined if the item has neither an article nor notes. */
  readonly path: string | undefined;
  readonly hasArticle: boolean;
}

interface Shown extends Pick<ShownArticle, 'html'> {
  /** The path of the picture above the text. */
  readonly lead: string | undefined;
}

/** Writes the articles of items, with their stored pictures and notes, as files of an archive. */
@Injectable()
export class ArchivedArticles {
  constructor(
    private readonly articles: ArticlesService,
    private readonly reader: ArticleReader,
    readonly pictures: PictureRepository,
    readonly notes: ArchivedNotes,
  ) {}

  /** Yields the files of an item's article. Returns its page. */
  async *files(row: ItemRow, parts: ArchiveParts): AsyncGenerator<ZipEntry, ArchivedPage> {
    const opened = await this.open(row, parts);
    const notes = await this.notes.of(row, parts);
    const shown = yield* this.article(opened, passagesIn(notes), parts);
    const hasArticle = shown !== undefined;
    if (!hasArticle && notes === undefined) {
      return { path: undefined, hasArticle };
    }
    const path = `articles/${row.item_id}.html`;
    yield contentEntry(path, pageOf(opened, { shown, notes }, parts));
    return { path, hasArticle };
  }

  /** Needs no query for a page that was not fetched, because a long list can have many of them. */
  private async open(item: ItemRow, { userId }: ArchiveParts): Promise<OpenedItem> {
    return item.resolved_id === NOT_FETCHED
      ? { item, isWaiting: false, page: undefined }
      : this.articles.stored(userId, item);
  }

  /** Yields the pictures of an article. Returns undefined if there is no article, or if it cannot be converted. */
  private async *article(
    opened: OpenedItem,
    passages: readonly Passage[],
    parts: ArchiveParts,
  ): AsyncGenerator<ZipEntry, Shown | undefined> {
    const { missing, signal, translator } = parts;
    const html = opened.page?.html;
    if (html === undefined) {
      missing.articles += 1;
      return undefined;
    }
    const sources = picturesOf(opened);
    const stored = yield* parts.pictures.files(sources);
    const pictures = new Map(sources.map((src) => [src, hrefOf(stored.get(src)) ?? src]));
    const task = { html, pictures, passages, language: translator.language };
    const shown = await patiently(() => this.reader.show(task), signal);
    if (shown === undefined) {
      missing.conversions += 1;
      return undefined;
    }
    const lead = sources.slice(0, 1).find((src) => !shown.placed.includes(src));
    const used = [...shown.placed, ...(lead === undefined ? [] : [lead])];
    missing.pictures += shown.omitted + used.filter((src) => pictures.get(src) === src).length;
    return { html: shown.html, lead: pictures.get(lead ?? '') };
  }
}

interface PageParts {
  readonly shown: Shown | undefined;
  readonly notes: ItemNotes | undefined;
}

function pageOf(
  opened: OpenedItem,
  { shown, notes }: PageParts,
  { translator }: ArchiveParts,
): string {
  const facts = factsOf(opened);
  return articlePage({
    facts,
    line: lineOfFacts(facts, translator),
    lead: shown?.lead,
    html: shown?.html ?? noArticle(translator),
    notes: notes && notesHtml(notes, translator),
    language: translator.language,
  });
}

/** Returns the address of a file, relative to the folder of articles. */
const hrefOf = (path: string | undefined): string | undefined => path && `../${path}`;

/** Returns the web addresses of the article's pictures. */
const picturesOf = ({ item, page }: OpenedItem): readonly string[] => {
  const { images } = page?.page.item.media ?? mediaOf(item);
  return [...new Set(images.map(({ src }) => src))].filter((src) => /^https?:\/\//i.test(src));
};
